import { setTimeout as delay } from 'node:timers/promises';
import type { Container, Exec } from 'dockerode';
import { sandboxUser } from '../folder/layout.ts';

/** In the environment of a command and, unless they take it away, of all that it starts. */
export const COMMAND_MARK = 'ANTLER_COMMAND';

const END_MS = 4_000;

/**
 * Kills every process that bears a mark, and every session that one of them is in, until none is left. Bash alone,
 * without starting a process: there may be no room for one.
 */
const SCRIPT = `
mark="${COMMAND_MARK}=$1"
for pass in 1 2 3 4 5; do
  found=()
  declare -A sessions=()
  for folder in /proc/[0-9]*; do
    pid=\${folder#/proc/}
    [[ $pid == 1 || $pid == $$ ]] && continue
    variables=()
    mapfile -d '' -t variables < "$folder/environ" || continue
    stat=; read -r stat < "$folder/stat" || continue
    set -- $1 \${stat##*) }
    [[ $2 == Z ]] && continue
    for variable in "\${variables[@]}"; do
      [[ $variable == "$mark" ]] && sessions[$5]=1 && found+=("$pid") && break
    done
  done 2>/dev/null
  for folder in /proc/[0-9]*; do
    pid=\${folder#/proc/}
    [[ $pid == 1 || $pid == $$ ]] && continue
    stat=; read -r stat < "$folder/stat" || continue
    set -- $1 \${stat##*) }
    [[ $2 != Z && -n \${sessions[$5]} ]] && found+=("$pid")
  done 2>/dev/null
  [[ \${#found[@]} == 0 ]] && exit 0
  kill -KILL "\${found[@]}" 2>/dev/null
done
exit 1
`;

/**
 * Ends a command and what it has started. The engine answers a start before there is a process, and a script that looks
 * for one too early finds none: so it is only over when the engine says that the command's own process has ended.
 * False when something of it is left, or may yet come: then the whole container has to go.
 */
export async function endCommand(container: Container, command: Exec, mark: string): Promise<boolean> {
  const late = new AbortController();
  const tooLate = delay(END_MS, false, { signal: late.signal }).catch(() => false);
  try {
    return await Promise.race([tooLate, endAll(container, command, mark, late.signal)]);
  } catch {
    return false; // no process can be started in it any more, or the engine does not answer
  } finally {
    late.abort();
  }
}

async function endAll(container: Container, command: Exec, mark: string, late: AbortSignal): Promise<boolean> {
  for (let waitMs = 10; !late.aborted; waitMs = Math.min(waitMs * 2, 200)) {
    const { Pid: pid, ExitCode: code } = await command.inspect();
    const hasBegun = pid !== 0 || code !== null;
    if (hasBegun && (await runScript(container, mark)) && !(await command.inspect()).Running) return true;
    await delay(waitMs);
  }
  return false;
}

async function runScript(container: Container, mark: string): Promise<boolean> {
  const exec = await container.exec({ Cmd: ['/bin/bash', '-c', SCRIPT, 'end', mark], User: sandboxUser() });
  const answer = await exec.start({ Detach: true });
  answer.resume(); // empty, but its connection stays open until it was read
  for (let waitMs = 20; ; waitMs = Math.min(waitMs * 2, 200)) {
    await delay(waitMs);
    const { Running: running, ExitCode: code } = await exec.inspect();
    if (!running) return code === 0;
  }
}
