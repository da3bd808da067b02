import { cpus, loadavg, platform, release, totalmem } from 'node:os';
import type { Machine } from './results.ts';

export function thisMachine(): Machine {
  const processors = cpus();
  return {
    cores: processors.length,
    processor: processors[0]?.model.trim() ?? 'unknown',
    memoryGb: totalmem() / 2 ** 30,
    node: process.version,
    system: `${platform()} ${release()}`,
    loadBefore: loadavg()[0] ?? 0,
  };
}

/** The machine in a sentence. */
export function machineText({ cores, processor, memoryGb, node, system, loadBefore }: Machine): string {
  return `Machine: ${cores} cores (${processor}), ${memoryGb.toFixed(0)} GB, ${system}, Node ${node}; load ${loadBefore.toFixed(1)} before it began.`;
}
