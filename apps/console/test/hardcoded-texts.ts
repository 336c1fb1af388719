import { type ESTree, parseSync, Visitor } from 'vite';

/** Attributes and properties whose value is shown or read aloud to the user. */
const USER_VISIBLE = new Set([
  'action',
  'alt',
  'aria-description',
  'aria-label',
  'aria-valuetext',
  'closeLabel',
  'confirmLabel',
  'description',
  'hint',
  'label',
  'none',
  'note',
  'placeholder',
  'sentence',
  'text',
  'title',
]);

const WORD = /\p{L}{2}/u;
/** Starts with a capital letter and has more than one word. */
const SENTENCE = /^\P{L}*\p{Lu}.*\s\p{L}/u;

/** User-visible texts in a source file: between tags, in user-visible attributes, and whole sentences anywhere. */
export function hardcodedTexts(file: string, source: string): string[] {
  const found = new Set<string>();
  /** Arguments of constructors: messages of errors are for developers. */
  const constructorArguments = new Set<ESTree.Node>();
  function collect(node: ESTree.Node | null, pattern: RegExp): void {
    for (const text of textsOf(node))
      if (pattern.test(text)) found.add(text.trim().replace(/\s+/g, ' '));
  }
  function collectSentence(node: ESTree.Node): void {
    if (!constructorArguments.has(node)) collect(node, SENTENCE);
  }
  new Visitor({
    JSXElement({ children }) {
      for (const child of children) collect(child, WORD);
    },
    JSXFragment({ children }) {
      for (const child of children) collect(child, WORD);
    },
    JSXAttribute({ name, value }) {
      if (name.type === 'JSXIdentifier' && USER_VISIBLE.has(name.name)) collect(value, WORD);
    },
    Property({ key, value }) {
      if (key.type === 'Identifier' && USER_VISIBLE.has(key.name)) collect(value, WORD);
    },
    NewExpression(expression) {
      for (const argument of expression.arguments) constructorArguments.add(argument);
    },
    Literal: collectSentence,
    TemplateLiteral: collectSentence,
  }).visit(parseSync(file, source).program);
  return [...found];
}

/** The texts that an expression can evaluate to. Operands of comparisons and arguments of calls do not count. */
function textsOf(node: ESTree.Node | null): string[] {
  switch (node?.type) {
    case 'JSXText':
      return [node.value];
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'TemplateLiteral':
      return [node.quasis.map(({ value }) => value.raw).join('…')];
    case 'ConditionalExpression':
      return [...textsOf(node.consequent), ...textsOf(node.alternate)];
    case 'LogicalExpression':
      return [...textsOf(node.left), ...textsOf(node.right)];
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
      return textsOf(node.expression);
    default:
      return [];
  }
}
