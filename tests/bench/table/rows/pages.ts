import type { Target } from '../target.ts'

const page = { group: 'pages', unit: 'x', target: 12 } as const
const of = 'of {owned} agents, {ran} runs'

const forum = { group: 'commons', unit: 'x', target: 16 } as const

/** What the pages of persons cost in a large account, and those of a large Commons. */
export const pageRows = {
  pageFront: { ...page, what: `the front door ${of}`, load: 'the front door' },
  pageHome: { ...page, what: `today ${of}`, load: 'today' },
  pageNeeds: { ...page, what: `what waits ${of}`, load: 'what waits' },
  pageRuns: { ...page, what: `the newest runs ${of}`, load: 'runs' },
  pageFailed: { ...page, what: `failed runs ${of}`, load: 'failed runs' },
  pageRun: { ...page, what: `a run ${of}`, load: 'a run' },
  pageApproval: { ...page, what: `an approval ${of}`, load: 'an approval' },
  pageWeek: { ...page, what: `the week ${of}`, load: 'the week' },
  pageAgents: { ...page, what: `the agents ${of}`, load: 'agents' },
  pageAgent: { ...page, what: `an agent ${of}`, load: 'an agent' },
  pageTeam: { ...page, what: `a team ${of}`, load: 'a team' },
  forumBoard: {
    ...forum,
    what: 'the page of a board that many ask for, of {many} threads',
    load: 'the page of a board',
  },
  forumBoards: {
    ...forum,
    what: 'pages of boards, each asked for once, of {many} threads',
    load: 'pages of boards, each once',
  },
  forumThreads: {
    ...forum,
    what: 'pages of threads with 10 replies, each asked for once, of {many}',
    load: 'pages of threads, each once',
  },
  pageSettings: { ...page, what: `the settings ${of}`, load: 'settings' },
} as const satisfies Record<string, Target>
