import { execFile } from 'node:child_process';

/**
 * Runs a module's text in a Node process of its own and returns what it prints, without white space around it.
 * @throws Error with what it wrote to stderr, when it fails or takes longer than `timeoutMs`.
 */
export async function outputOfProgram(program: string, timeoutMs = 30_000): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const args = ['--input-type=module', '--eval', program];
  execFile(process.execPath, args, { timeout: timeoutMs }, (error, stdout, stderr) => {
    if (error === null) resolve(stdout.trim());
    else reject(new Error(`the program failed: ${stderr}`, { cause: error }));
  });
  return promise;
}
