import type { Target } from '../target.ts'

const page = { group: 'pages', unit: 'x', target: 12 } as const
const of = 'of {owned} agents, {ran} runs'

/** What the pages of persons cost in a large account. */
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
  pageSettings: { ...page, what: `the settings ${of}`, load: 'settings' },
} as const satisfies Record<string, Target>
