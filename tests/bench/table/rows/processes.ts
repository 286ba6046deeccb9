import type { Target } from '../target.ts'

const processes = {
  group: 'processes',
  floor: 'the same by one process',
  by: 'aSecond',
  least: true,
  unit: 'times',
} as const
const told = { group: 'told' } as const

/** What several processes on one store do together, and what it costs that they tell each other. */
export const processRows = {
  processesRead: {
    ...processes,
    what: 'reads a second, two processes over one',
    load: 'reads on 64 connections, by wrk',
    target: 1.5,
    alarm: 1.1,
  },
  processesCreate: {
    ...processes,
    what: 'creates a second, two processes over one',
    load: 'creates on 64 connections, by wrk',
    target: 1,
    alarm: 0.8,
  },
  toldQueue: {
    ...told,
    what: 'how long a run waits for a process elsewhere, p50',
    load: 'runs that one process takes and another does',
    unit: 'ms',
    target: 30,
    alarm: 100,
  },
  toldEvents: {
    ...told,
    what: 'how late an event of a run reaches a stream elsewhere, p95',
    load: 'streams of such runs',
    unit: 'ms',
    target: 100,
    alarm: 300,
  },
  toldWaiters: {
    ...told,
    what: 'a processor for 5,000 who wait, 50 writes a second elsewhere',
    load: 'waits for the end of runs that do not end',
    unit: '%',
    target: 2,
    alarm: 6,
  },
  toldReads: {
    ...told,
    what: 'p95 of reads, 1,500 who wait and 50 writes a second elsewhere',
    load: 'reads of a run, one every five milliseconds',
    floor: 'the same where no one waits',
    unit: 'times',
    target: 1.5,
    alarm: 4,
  },
} satisfies Record<string, Target>
