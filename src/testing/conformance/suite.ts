import { describe } from 'node:test';
import { filesConformance } from './files.ts';
import { lifeConformance } from './life.ts';
import { receivingConformance } from './receiving.ts';
import type { Subject } from './room.ts';
import { sendingConformance } from './sending.ts';

/**
 * What every adapter does on every transport of its: each capability works or is declared absent and degrades as
 * written in the port.
 */
export function adapterConformance(subject: Subject): void {
  describe(`conformance: ${subject.name}`, () => {
    receivingConformance(subject);
    sendingConformance(subject);
    filesConformance(subject);
    lifeConformance(subject);
  });
}
