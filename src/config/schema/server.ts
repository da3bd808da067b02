import { z } from 'zod';
import { hostText, httpUrl, redisUrl, serviceUrl } from './text.ts';

export const serverSchema = z.object({
  /** Anything but loopback asks for the owner's token. */
  host: hostText.default('127.0.0.1'),
  /** 0 lets the system choose. */
  port: z.int().min(0).max(65_535).default(2026),
  /** Where the outside reaches this server; webhooks need it. */
  public_url: httpUrl.optional(),
  /** What opens the page from other machines. Absent: made at the first start and printed once. */
  owner_token: z.string().min(8, 'expected at least 8 characters').optional().meta({ secret: true }),
});

export const redisSchema = z.object({
  /** Several nodes of a cluster are separated by commas. */
  url: redisUrl,
  /** The bus is cut into so many parts, each in one slot of a cluster. The same in every process. */
  shards: z.int().min(1).max(256).default(1),
  /** A message counts as taken in only when so many replicas have it. */
  wait_replicas: z.int().min(0).max(10).default(0),
});

/** Fairness: what waits for one of these does not keep others waiting. The same in every process. */
export const fairnessSchema = z.object({
  /** Conversations of one chat that are worked on at once. */
  per_chat: z.int().min(1).max(1_000).default(4),
  /** Conversations of one person, over all chats. */
  per_user: z.int().min(1).max(1_000).default(4),
});

export const databaseSchema = z.object({ url: serviceUrl(['postgres:', 'postgresql:']) });

export const deliverySchema = z.object({
  /** A message that comes out later than this after it was ready says so. */
  late_after_minutes: z.number().positive().max(10_080).default(15),
});

export const filesSchema = z.object({
  /** Larger files that people send are not fetched, in megabytes. */
  max_in_mb: z.number().positive().max(1_000).default(20),
  /** Files are deleted after so many days. */
  keep_days: z.int().min(1).max(3_650).default(30),
});

export const logSchema = z.object({ level: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info') });
