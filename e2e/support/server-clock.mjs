import { readFileSync } from 'node:fs';

/** Loaded into a server under test before anything else: its clock is ahead by the milliseconds in a file. */
const realNow = Date.now;
const file = process.env.TEST_CLOCK_FILE ?? '';

Date.now = () => realNow() + Number(readFileSync(file, 'utf8'));
