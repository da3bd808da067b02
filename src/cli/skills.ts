import type { CheckedSkill, Installed } from '../harness/skills/install.ts';
import type { ShelfContents, Skill } from '../harness/skills/port.ts';
import type { ScanFinding } from '../harness/skills/scan.ts';
import type { SkillCommand } from './commands.ts';
import { columns, counted, type Report } from './operate/report.ts';

/** What is done with skills on this machine; each rejects with an `AntlerError` that says what is wrong. */
export interface SkillDesk {
  contents(): Promise<ShelfContents>;
  /** Looks over a folder or an archive. */
  check(source: string): Promise<CheckedSkill>;
  install(source: string, force: boolean): Promise<Installed>;
  remove(name: string): Promise<void>;
}

export interface SkillsOptions {
  readonly command: SkillCommand;
  /** The word behind the command; empty where it takes none. */
  readonly operand: string;
  readonly force?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly desk: SkillDesk;
  readonly print: (text: string) => void;
}

/** `antler skills …`. Resolves with the exit code: 1 where a skill that was checked has severe findings or is broken. */
export async function runSkills(options: SkillsOptions): Promise<0 | 1> {
  const { desk, operand, print, json = false } = options;
  const say = ({ lines, json: data }: Report): void => print(json ? JSON.stringify(data, null, 2) : lines.join('\n'));
  switch (options.command) {
    case 'skills list':
      say(listReport(await desk.contents()));
      return 0;
    case 'skills check': {
      const checked = await desk.check(operand);
      say(checkReport(checked));
      return checked.findings.some(({ severity }) => severity === 'severe') ? 1 : 0;
    }
    case 'skills install':
      say(installReport(await desk.install(operand, options.force === true)));
      return 0;
    case 'skills remove':
      await desk.remove(operand);
      say({ lines: [`The skill ${operand} is removed.`], json: { name: operand } });
      return 0;
    default:
      return options.command satisfies never;
  }
}

function listReport({ skills, broken }: ShelfContents): Report {
  const all = [...skills.values()];
  const lines = columns(all.map(({ name, origin, description }) => [name, origin, oneLine(description)]));
  const warnings = all.flatMap((skill) => skill.warnings.map((warning) => `warning: ${skill.name}: ${warning}`));
  const problems = broken.map(({ name, origin, problem }) => `broken: ${name} (${origin}): ${problem}`);
  return {
    lines: [...(all.length === 0 ? ['There are no skills.'] : lines), ...warnings, ...problems],
    json: { skills: all.map(shown), broken },
  };
}

const MAX_LINE_CHARS = 90;
const oneLine = (text: string): string =>
  text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS).toWellFormed()}…` : text;

const shown = ({ name, origin, description, allowedTools, secrets, version, license, files, warnings }: Skill) => ({
  name,
  origin,
  description,
  allowed_tools: allowedTools,
  secrets,
  version,
  license,
  files: files.length,
  warnings,
});

function checkReport({ skill, findings }: CheckedSkill): Report {
  return {
    lines: [`${skill.name}: ${counted(skill.files.length, 'file')}`, ...skill.warnings, ...findingLines(findings)],
    json: { skill: shown(skill), findings },
  };
}

function installReport({ skill, findings, replaced }: Installed): Report {
  const done = replaced ? 'is replaced by this version' : 'is installed';
  return {
    lines: [
      `The skill ${skill.name} ${done}. Assistants have it from their next message on.`,
      ...findingLines(findings),
    ],
    json: { skill: shown(skill), findings, replaced },
  };
}

const findingLines = (findings: readonly ScanFinding[]): string[] =>
  findings.length === 0
    ? ['Nothing was found that one should know of. That is no promise: read what you install.']
    : columns(
        findings.map(({ severity, file, line, what }) => [severity, line === 0 ? file : `${file}:${line}`, what]),
      );
