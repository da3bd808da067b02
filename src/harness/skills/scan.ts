import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Skill } from './port.ts';
import { HIDDEN, SCAN_RULES, type Severity } from './scan-rules.ts';

/** Something in a skill that an admin should know of before it is used. */
export interface ScanFinding {
  readonly severity: Severity;
  readonly file: string;
  /** 0: the file as a whole. */
  readonly line: number;
  readonly what: string;
}

const TEXT = /\.(?:md|markdown|txt|html?|css|json|ya?ml|toml|csv|tsv|xml|svg|jinja2?|tmpl|template)$/i;
const SCRIPT = /\.(?:sh|bash|zsh|py|js|mjs|cjs|ts|rb|pl|php|ps1|bat|lua|r|awk|sql)$/i;
const PAGE = /\.(?:html?|svg)$/i;
const MARKDOWN = /\.(?:md|markdown)$/i;
const DATA = /\.(?:png|jpe?g|gif|webp|ico|woff2?|ttf|otf|pdf|docx|xlsx|pptx|mp3|wav)$/i;
const MAX_FINDINGS = 100;

/** Looks at every file of a skill by what it is, not only by its name. Severe findings come first. */
export async function scanSkill(skill: Pick<Skill, 'folder' | 'files' | 'secrets'>): Promise<readonly ScanFinding[]> {
  const findings: ScanFinding[] = [];
  for (const { path } of skill.files) findings.push(...scanFile(path, await readFile(join(skill.folder, path))));
  if (skill.secrets.length > 0)
    findings.push({
      severity: 'note',
      file: 'SKILL.md',
      line: 0,
      what: `wants the secrets ${skill.secrets.join(', ')}`,
    });
  return sorted(findings);
}

/** The findings in one file; pure. */
function scanFile(path: string, content: Uint8Array): readonly ScanFinding[] {
  const whole = (severity: Severity, what: string): ScanFinding => ({ severity, file: path, line: 0, what });
  if (isProgram(content)) return [whole('severe', 'a program that cannot be read')];
  if (isArchive(content) && !DATA.test(path)) return [whole('severe', 'an archive inside of the skill')];
  if (content.includes(0)) return DATA.test(path) ? [] : [whole('warning', 'data that cannot be looked through')];
  const text = new TextDecoder().decode(content);
  return scanText(path, text);
}

/** The findings in a text that would be the file `path`; pure. */
export function scanText(path: string, text: string): readonly ScanFinding[] {
  const isScript = SCRIPT.test(path) || text.startsWith('#!');
  const script = isScript || PAGE.test(path) || !TEXT.test(path) ? text : MARKDOWN.test(path) ? fencedCode(text) : '';
  const findings = SCAN_RULES.flatMap(({ severity, where, sign, what }): ScanFinding[] => {
    const source = where === 'script' ? script : text;
    const at = source.search(sign);
    return at === -1 ? [] : [{ severity, file: path, line: lineOf(source, at), what }];
  });
  const hidden = text.replace(/^\ufeff/, '').search(HIDDEN);
  if (hidden !== -1)
    findings.push({ severity: 'severe', file: path, line: lineOf(text, hidden), what: 'characters that nobody sees' });
  return sorted(findings);
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** Markdown's code with its lines where they stand; the rest is empty. */
function fencedCode(markdown: string): string {
  let fence: string | null = null;
  const lines = markdown.split('\n').map((line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null) {
      if (mark !== undefined) fence = mark;
      return /^\s*`[^`]/.test(line) || /^(?: {4}|\t)/.test(line) ? line : inlineCode(line);
    }
    if (mark?.startsWith(fence)) {
      fence = null;
      return '';
    }
    return line;
  });
  return lines.join('\n');
}

const inlineCode = (line: string): string => [...line.matchAll(/`([^`]+)`/g)].map(([, code]) => code).join(' ; ');

const startsWith = (content: Uint8Array, ...bytes: readonly number[]): boolean =>
  bytes.every((byte, index) => content[index] === byte);

/** ELF, Windows, Mach-O, Java and WebAssembly. */
const isProgram = (content: Uint8Array): boolean =>
  startsWith(content, 0x7f, 0x45, 0x4c, 0x46) ||
  (startsWith(content, 0x4d, 0x5a) && content.includes(0)) ||
  startsWith(content, 0xcf, 0xfa, 0xed, 0xfe) ||
  startsWith(content, 0xca, 0xfe, 0xba, 0xbe) ||
  startsWith(content, 0x00, 0x61, 0x73, 0x6d);

/** ZIP, gzip, 7z, RAR, xz. */
const isArchive = (content: Uint8Array): boolean =>
  startsWith(content, 0x50, 0x4b, 3, 4) ||
  startsWith(content, 0x1f, 0x8b) ||
  startsWith(content, 0x37, 0x7a, 0xbc, 0xaf) ||
  startsWith(content, 0x52, 0x61, 0x72, 0x21) ||
  startsWith(content, 0xfd, 0x37, 0x7a, 0x58);

const RANK: Readonly<Record<Severity, number>> = { severe: 0, warning: 1, note: 2 };

const sorted = (findings: readonly ScanFinding[]): readonly ScanFinding[] =>
  findings.toSorted((a, b) => RANK[a.severity] - RANK[b.severity]).slice(0, MAX_FINDINGS);
