import { type ESTree, parseSync, Visitor } from 'vite';

/** Attributes and properties that a person reads or hears. */
const SPOKEN = new Set([
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
/** A capital, and more than one word. */
const SENTENCE = /^\P{L}*\p{Lu}.*\s\p{L}/u;

/** The texts that a source file holds itself: between tags, in what is spoken, and whole sentences anywhere. */
export function looseTexts(file: string, source: string): string[] {
  const found = new Set<string>();
  /** What is thrown is read by developers. */
  const thrown = new Set<ESTree.Node>();
  function keep(node: ESTree.Node | null, pattern: RegExp): void {
    for (const text of saidBy(node))
      if (pattern.test(text)) found.add(text.trim().replace(/\s+/g, ' '));
  }
  function keepSentence(node: ESTree.Node): void {
    if (!thrown.has(node)) keep(node, SENTENCE);
  }
  new Visitor({
    JSXElement({ children }) {
      for (const child of children) keep(child, WORD);
    },
    JSXFragment({ children }) {
      for (const child of children) keep(child, WORD);
    },
    JSXAttribute({ name, value }) {
      if (name.type === 'JSXIdentifier' && SPOKEN.has(name.name)) keep(value, WORD);
    },
    Property({ key, value }) {
      if (key.type === 'Identifier' && SPOKEN.has(key.name)) keep(value, WORD);
    },
    NewExpression(made) {
      for (const argument of made.arguments) thrown.add(argument);
    },
    Literal: keepSentence,
    TemplateLiteral: keepSentence,
  }).visit(parseSync(file, source).program);
  return [...found];
}

/** The texts that an expression can become. What is compared, or handed to a function, is none. */
function saidBy(node: ESTree.Node | null): string[] {
  switch (node?.type) {
    case 'JSXText':
      return [node.value];
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'TemplateLiteral':
      return [node.quasis.map(({ value }) => value.raw).join('…')];
    case 'ConditionalExpression':
      return [...saidBy(node.consequent), ...saidBy(node.alternate)];
    case 'LogicalExpression':
      return [...saidBy(node.left), ...saidBy(node.right)];
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
      return saidBy(node.expression);
    default:
      return [];
  }
}
