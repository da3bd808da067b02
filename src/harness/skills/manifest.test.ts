import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readManifest } from './manifest.ts';

const skill = (front: string, body = 'Do it.'): string => `---\n${front}\n---\n\n${body}\n`;
const BASE = 'name: weekly-report\ndescription: Writes the weekly report.';

test('a skill is front matter and Markdown', () => {
  const text = skill(`${BASE}\nallowed-tools: [read_file, 'github_*']\nsecrets: [API_KEY]\nlicense: MIT\nversion: 1.2`);
  assert.deepEqual(readManifest(text.replaceAll('\n', '\r\n')), {
    manifest: {
      name: 'weekly-report',
      description: 'Writes the weekly report.',
      allowedTools: ['read_file', 'github_*'],
      secrets: ['API_KEY'],
      license: 'MIT',
      version: '1.2',
    },
    body: 'Do it.',
    warnings: [],
  });
});

test('tools may stand in one line, an empty list allows none, and no list restricts nothing', () => {
  const tools = (line: string) => readManifest(skill(`${BASE}\n${line}`)).manifest.allowedTools;
  assert.deepEqual(tools('allowed-tools: read_file, grep glob'), ['read_file', 'grep', 'glob']);
  assert.deepEqual(tools('allowed-tools: []'), []);
  assert.deepEqual(tools('allowed-tools:'), []);
  assert.equal(tools('license: MIT'), null);
});

test('what is wrong is told with its line', () => {
  for (const [text, message] of [
    ['# Weekly', /line 1: expected front matter/],
    [skill('name: weekly-report'), /description is missing/],
    [skill('description: x\nname: Weekly Report'), /line 3: name: expected small letters/],
    [skill('name: ../etc\ndescription: x'), /line 2: name: expected small letters/],
    [skill('name: all\ndescription: x'), /"all" means something else/],
    [skill('name: a\ndescription: use: it'), /line 3: not valid YAML.*needs quotes/],
    [skill(`${BASE}\nallowed-tools: {a: 1}`), /line 4: allowed-tools: expected a list/],
    [skill(`${BASE}\nallowed-tools: [Bash(rm:*)]`), /line 4: allowed-tools: "Bash\(rm:\*\)" is none/],
    [skill(`${BASE}\nsecrets: [LD_PRELOAD]`), /LD_PRELOAD changes how commands run/],
    [skill(`${BASE}\nsecrets: [not-a-name]`), /"not-a-name" is none/],
    [skill('name: a\ndescription: <b>bold</b>'), /line 3: description: no "<"/],
    [skill(BASE, ' '), /nothing behind the front matter/],
    [skill(BASE, 'x'.repeat(20_001)), /more than 20000 characters/],
  ] as const)
    assert.throws(() => readManifest(text), message);
});

test('an unknown key is a warning, with what was probably meant', () => {
  const { warnings } = readManifest(skill(`${BASE}\nlicence: MIT\nmetadata: { a: 1 }`));
  assert.deepEqual(warnings, ['SKILL.md, line 4: unknown key "licence"; did you mean "license"?']);
});

test('a misspelt restriction is no restriction overlooked', () => {
  assert.throws(
    () => readManifest(skill(`${BASE}\nallowedTools: []`)),
    /line 4: allowedTools: write it as allowed-tools/,
  );
});
