#!/usr/bin/env node
import { main } from '../dist/daemon/cli.js';

// graphql-js, which is loaded with the first request, checks itself at every turn otherwise.
process.env.NODE_ENV ??= 'production';
process.exitCode = await main(process.argv.slice(2));
