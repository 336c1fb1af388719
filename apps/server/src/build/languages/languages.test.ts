import { expect, it } from 'vitest';
import { detect } from '../detect.ts';
import { renderDockerfile } from '../dockerfile.ts';

it.each<[what: string, texts: Record<string, string>]>([
  ['Rails', { Gemfile: "gem 'rails', '~> 8.0'\n", 'Gemfile.lock': '', Rakefile: '' }],
  ['Sinatra with puma', { Gemfile: 'gem "sinatra"\ngem "puma"\n', 'config.ru': '' }],
  ['Ruby with a Procfile', { Gemfile: '', Procfile: 'web: bundle exec puma -C puma.rb' }],
  ['PHP with composer', { 'composer.json': '{}', 'public/index.php': '' }],
  ['PHP without packages', { 'index.php': '' }],
  ['PHP with a Procfile', { 'composer.json': '{}', Procfile: 'web: heroku-php-apache2 web/' }],
  ['Spring Boot with a wrapper', { 'pom.xml': '<artifactId>spring-boot', mvnw: '' }],
  ['Quarkus with Maven', { 'pom.xml': 'quarkus' }],
  ['Micronaut with Gradle', { 'build.gradle.kts': 'io.micronaut', gradlew: '' }],
  [
    'Rust',
    { 'Cargo.toml': '[package]\nname = "shop"\n', 'Cargo.lock': '', 'src/main.rs': 'fn main() {}' },
  ],
  ['a web project of .NET', { 'Shop/Shop.csproj': '<Project Sdk="Microsoft.NET.Sdk.Web">' }],
  [
    'Deno with a start task',
    { 'deno.json': '{"tasks": {"build": "x", "start": "deno serve a.ts"}}' },
  ],
  ['Deno with an entry file', { 'deno.json': '{}', 'main.ts': '' }],
])('plans %s, and renders it as a Dockerfile', (_, texts) => {
  const detection = detect({ files: Object.keys(texts), texts });
  if (detection.kind === 'nothing') throw new Error(detection.evidence.join('\n'));
  const { evidence, tools } = detection.plan;
  const options = {
    nodeImage: 'node:24-slim',
    root: undefined,
    variables: [],
    hasStartCommand: false,
  };
  const dockerfile = renderDockerfile(detection.plan, options).trimEnd().split('\n');
  expect({ evidence, tools, dockerfile }).toMatchSnapshot();
});

it.each([
  [{ Gemfile: "gem 'rake'" }, /Gemfile lists no rails.*enter a start command such as bundle exec/],
  [{ 'composer.json': '{}' }, /composer\.json has no index\.php/],
  [{ 'pom.xml': '' }, /enter a start command such as java -jar target\/shop\.jar/],
  [{ 'Cargo.toml': '[workspace]' }, /Cargo\.toml has no program: enter the root directory/],
  [{ 'a/a.csproj': '' }, /There are 0 web projects/],
  [{ 'deno.json': '{}' }, /enter a start command such as deno run/],
])('says what to enter for %j', (texts, expected) => {
  const detection = detect({ files: Object.keys(texts), texts });
  expect(detection.kind === 'nothing' && detection.evidence.join('\n')).toMatch(expected);
});
