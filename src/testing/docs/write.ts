import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLATFORMS_PAGE, platformsPage } from './platforms.ts';

writeFileSync(join(import.meta.dirname, '../../..', PLATFORMS_PAGE), platformsPage());
