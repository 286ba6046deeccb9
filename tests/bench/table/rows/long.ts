import type { Target } from '../target.ts'

const steady = { group: 'steady', long: true } as const
const wide = { group: 'wide', long: true, by: 'aSecond', least: true, unit: 'times' } as const

/** What takes minutes to see. */
export const longRows = {
  steadyCpu: {
    ...steady,
    what: 'CPU a request, the last of {minutes} minutes over the second',
    load: 'reads, lists, creates and runs mixed',
    floor: 'the second minute',
    unit: 'times',
    target: 1.2,
    alarm: 1.5,
  },
  steadyP99: {
    ...steady,
    what: 'p99 of all, the last of {minutes} minutes over the second',
    load: 'reads, lists, creates and runs mixed',
    floor: 'the second minute',
    by: 'p99',
    unit: 'times',
    target: 1.5,
    alarm: 2,
  },
  steadyMemory: {
    ...steady,
    what: 'resident memory more, the last of {minutes} minutes over the second',
    load: 'reads, lists, creates and runs mixed',
    floor: 'the second minute',
    unit: 'MiB',
    target: 60,
    alarm: 120,
  },
  streamMemory: {
    group: 'streams',
    long: true,
    what: 'memory of an idle stream of a run, of {streams}',
    load: 'streams of events, opened and left alone',
    floor: 'a stream of bare Koa',
    unit: 'KiB',
    target: 60,
    alarm: 120,
  },
  streamCpu: {
    group: 'streams',
    long: true,
    what: 'CPU of the server in a second while they are idle',
    load: 'streams of events, opened and left alone',
    unit: 'ms',
    target: 50,
    alarm: 200,
  },
  wideRead: {
    ...wide,
    what: 'reads a second on 256 connections over 16',
    load: 'read on 256 connections',
    floor: 'read on 16',
    target: 0.8,
    alarm: 0.5,
  },
  wideCreate: {
    ...wide,
    what: 'creates a second on 256 connections over 16',
    load: 'create on 256 connections',
    floor: 'create on 16',
    target: 0.8,
    alarm: 0.5,
  },
} satisfies Record<string, Target>
