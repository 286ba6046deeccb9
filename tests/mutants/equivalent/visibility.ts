import type { Equivalents } from '../equivalents.ts'

export const visibility: readonly Equivalents[] = [
  {
    file: 'src/agents/visibility/ability-access.ts',
    why: 'It spares a look at the store whose answer would change nothing.',
    changes: [
      {
        line: "isTeamMember: audience === 'team' && (await isOfTeam(store, character, accountId, charId)),",
        was: "audience === 'team'",
        becomes: 'true',
      },
      {
        line: "isFriend: audience === 'friends' && (await isFriendOf(store, id, accountId, charId)),",
        was: "audience === 'friends'",
        becomes: 'true',
      },
      {
        line: "hasSubscribed: audience === 'subscribers' && (await hasSubscribed(store, accountId, id)),",
        was: "audience === 'subscribers'",
        becomes: 'true',
      },
      {
        line: 'if (actingAs === undefined || app_id === null || owner_id !== accountId) return false',
        was: 'actingAs === undefined',
        becomes: 'false',
      },
    ],
  },
  {
    file: 'src/agents/visibility/ability-access.ts',
    why: 'It is compared with other audiences alone.',
    changes: [
      {
        line: "const audience = isOwn ? 'none' : audienceOf(visibility, ability)",
        was: "'none'",
        becomes: '""',
      },
    ],
  },
  {
    file: 'src/agents/visibility/ability-access.ts',
    why: 'Neither agent is among the members.',
    changes: [
      {
        line: 'const members = (await apps.get(app_id))?.team?.members ?? []',
        was: '[]',
        becomes: '["Stryker was here"]',
      },
    ],
  },
  {
    file: 'src/agents/view.ts',
    why: 'What is read for several answers for one alone, and costs more.',
    changes: [
      {
        line: 'if (only && others.length === 0) {',
        was: 'only && others.length === 0',
        becomes: 'false',
      },
      {
        line: 'if (only && others.length === 0) {',
        was: '{ const tasks = await store.tasks.text({ char_id: only.id }…',
        becomes: '{}',
      },
    ],
  },
  {
    file: 'src/agents/view.ts',
    why: 'Tasks of other agents are read and not looked at.',
    changes: [
      {
        line: 'const tasks = await store.tasks.text({ char_id: { $in: ids } }, { sort })',
        was: '{ char_id: { $in: ids } }',
        becomes: '{}',
      },
    ],
  },
  {
    file: 'src/agents/view.ts',
    why: 'SQLite reads by an index that has this order; no store promises it.',
    changes: [
      {
        line: 'const tasks = await store.tasks.text({ char_id: only.id }, { sort: { order: 1 } })',
        was: '{ sort: { order: 1 } }',
        becomes: '{}',
      },
      {
        line: 'const tasks = await store.tasks.text({ char_id: only.id }, { sort: { order: 1 } })',
        was: '{ order: 1 }',
        becomes: '{}',
      },
      {
        line: 'const tasks = await store.tasks.text({ char_id: { $in: ids } }, { sort })',
        was: '{ sort }',
        becomes: '{}',
      },
    ],
  },
]
