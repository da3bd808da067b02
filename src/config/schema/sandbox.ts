import { z } from 'zod';
import { filledText, folderText } from './text.ts';

export const sandboxSchema = z.object({
  /** `auto`: commands can be run where an engine answers. `docker`: doctor insists on it. `none`: files alone. */
  engine: z.enum(['auto', 'docker', 'none']).default('auto'),
  image: filledText.default('antler-sandbox'),
  /** Not checked here: DOCKER_HOST may say what only Docker's own programs understand, and that must not stop a start. */
  host: filledText.default('unix:///var/run/docker.sock'),
  /** Where `data_dir` lies on the engine's machine, when Antler itself runs in a container. */
  host_data_dir: folderText.optional(),
  /** True: the engine's own bridge; a text: its network of that name. */
  network: z.union([z.boolean(), filledText]).default(false),
  memory_mb: z.int().min(64).max(1_000_000).default(512),
  cpus: z.number().positive().max(1_000).default(1),
  /** Processes and threads at once. */
  pids: z.int().min(16).max(100_000).default(128),
  /** Files of one person or group, over all assistants. */
  disk_mb: z.int().min(1).max(10_000_000).default(500),
  idle_minutes: z.number().positive().max(10_080).default(15),
});

export type SandboxEntry = z.output<typeof sandboxSchema>;
