import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { toolServer } from './tools.ts';

await toolServer().connect(new StdioServerTransport());
