import { isMapping, valueAt } from './path.ts';
import type { Finding } from './validate.ts';

/** What an endpoint needs; the built-in demo model has none of it. */
const endpointKeys = ['base_url', 'api_key', 'model'] as const;

/** Keys that say opposite things. Reads the tree as it was written, because defaults would hide what was said. */
export function contradictions(tree: unknown): Finding[] {
  const models = valueAt(tree, ['models']);
  if (!Array.isArray(models)) return [];
  return models.flatMap((model: unknown, index) => {
    if (!isMapping(model) || String(model.demo) !== 'true') return [];
    return endpointKeys
      .filter((key) => model[key] !== undefined)
      .map((key): Finding => {
        const message = 'the built-in demo model has none; take this away, or "demo: true"';
        return { path: ['models', index, key], part: 'key', message };
      });
  });
}
