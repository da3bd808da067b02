import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type ConfigResult, type LoadOptions, loadConfig } from '../load.ts';
import type { Config } from '../schema/config.ts';
import { testManifests } from './manifests.ts';

export const folder = mkdtempSync(join(tmpdir(), 'antler-config-'));
after(() => rmSync(folder, { recursive: true, force: true }));

export const withFile = (yaml: string, options: Partial<LoadOptions> = {}): ConfigResult => {
  writeFileSync(join(folder, 'config.yaml'), yaml);
  return loadConfig({ env: {}, manifests: testManifests, cwd: folder, ...options });
};
export const withoutFile = (env: Record<string, string>, options: Partial<LoadOptions> = {}): ConfigResult =>
  loadConfig({ env, manifests: testManifests, cwd: tmpdir(), ...options });

export const errors = (result: ConfigResult): string[] =>
  result.ok ? [] : result.problems.map((problem) => problem.text);
export const warnings = (result: ConfigResult): string[] =>
  result.ok ? result.warnings.map((problem) => problem.text) : [];
export function loaded(result: ConfigResult): Config {
  assert.deepEqual(errors(result), []);
  assert.ok(result.ok);
  return result.config;
}

export const model = 'models: [{ name: main, model: m }]\n';
