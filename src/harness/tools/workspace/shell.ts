import { z } from 'zod';
import { AREA_PATHS } from '../../sandbox/paths.ts';
import type { ExecResult } from '../../sandbox/port.ts';
import { sizeText } from '../../transcript/text.ts';
import { defineTool } from '../port.ts';
import { openWithUploads } from './open.ts';

const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 600;
/** Below what a tool's result is cut to, so that what was left out is told once. */
const MAX_OUTPUT_BYTES = 20_000;
/** The kernel's way to end a process that took too much memory: 128 + SIGKILL. */
const KILLED = 137;

/** Runs commands in the sandbox. Only there where an engine is. */
export const shell = defineTool({
  name: 'shell',
  description: `Runs a command with bash in a Linux sandbox of this conversation's own, in ${AREA_PATHS.workspace}. What people have sent is in ${AREA_PATHS.uploads} (read-only), what is for them goes to ${AREA_PATHS.outputs} (then present_files). Each command starts afresh: no variables or folders of earlier ones, but their files. Nothing can be typed in. There is no root, and no network unless it was allowed. Use it to compute, convert, and run programs; to write and change text files the file tools are safer.`,
  input: z.object({
    command: z.string().min(1).describe('The command; several are joined with && or line ends.'),
    timeout_seconds: z
      .int()
      .min(1)
      .max(MAX_SECONDS)
      .optional()
      .describe(`Stopped after so long; left out: ${DEFAULT_SECONDS}.`),
  }),
  trust: 'remote',
  needs: 'exec',
  timeoutMs: (MAX_SECONDS + 60) * 1_000,
  run: async ({ command, timeout_seconds = DEFAULT_SECONDS }, context, signal) => {
    const workspace = await openWithUploads(context, signal);
    const result = await workspace.exec(command, {
      timeoutMs: timeout_seconds * 1_000,
      env: context.commandEnv,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      signal,
    });
    const remarks = remarksOn(result, timeout_seconds);
    const output = result.output.trim() === '' ? '(no output)' : result.output.trimEnd();
    return [output, ...remarks.map((remark) => `[${remark}]`)].join('\n');
  },
});

function remarksOn({ exitCode, timedOut, stopped, dropped }: ExecResult, seconds: number): string[] {
  const remarks: string[] = [];
  if (dropped > 0)
    remarks.push(
      `${sizeText(dropped)} were left out in the middle: write long output to a file and look at parts of it`,
    );
  if (timedOut)
    remarks.push(
      `stopped after ${seconds} s; give it more time, do less at once, or start what shall go on with: nohup … > log 2>&1 &`,
    );
  else if (stopped === 'output') remarks.push('stopped, because it wrote without end');
  else if (stopped === 'disk') remarks.push('stopped, because the space for files is full: remove what is not needed');
  else if (stopped === 'processes')
    remarks.push('stopped with all that ran in the background, because there were too many processes');
  else if (exitCode === null) remarks.push('it was killed');
  else if (exitCode === KILLED) remarks.push('exit code 137: killed, most likely because it took too much memory');
  else if (exitCode !== 0) remarks.push(`exit code ${exitCode}`);
  return remarks;
}
