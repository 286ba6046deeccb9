import { expect, test } from 'vitest'
import { CharacterInput } from '#src/agents/character.ts'
import { idFromName } from '#src/agents/name.ts'
import { characterFrom, patchedCharacter } from '#src/agents/stored-character.ts'
import { characterWarnings } from '#src/agents/warnings.ts'
import { wordsIn } from '#src/agents/words.ts'
import { pointerTo } from '#src/core/text/text.ts'

const objection = (): undefined => undefined
const place = {
  id: 'ada',
  ownerId: 'acc_1',
  appId: null,
  localId: null,
  revision: 1,
  now: '2026-01-01T00:00:00.000Z',
}

/** Puts a value where a dotted path says; numbers are positions. */
function at(path: string, value: unknown): unknown {
  return path
    .split('.')
    .reduceRight<unknown>((inner, name) => (/^\d$/.test(name) ? [inner] : { [name]: inner }), value)
}

function faults(sent: unknown): string[] {
  const result = CharacterInput.safeParse(sent)
  return result.error?.issues.map((issue) => pointerTo(issue.path)) ?? []
}

test('a name is all that an agent needs, and the rest is filled in', () => {
  expect(CharacterInput.parse({ name: 'Ada' })).toEqual({
    id: null,
    name: 'Ada',
    full_name: null,
    role: null,
    tagline: null,
    bio: null,
    skills: [],
    tools: [],
    knowledge_domains: [],
    personality: null,
    appearance: null,
    brain: null,
    heart: null,
    control: null,
    visibility: null,
  })
})

test.for([
  [
    'personality',
    { traits: [], communication_style: null, humor: null, energy: null, temperament: null },
  ],
  [
    'appearance',
    {
      seed: null,
      age_range: null,
      gender: null,
      ethnicity: null,
      build: null,
      hair: null,
      facial_hair: null,
      eyes: null,
      style: null,
      avatar_url: null,
      avatar_prompt: null,
      accessories: [],
      photos: [],
      photo_meta: [],
    },
  ],
  [
    'brain',
    {
      agent_type: null,
      abode_fork: null,
      llm_provider: null,
      llm_model: null,
      temperature: 0.7,
      max_tokens: 4096,
      system_prompt_override: null,
      mcps: [],
      plugins: [],
      skills: [],
      custom_skill_urls: [],
      custom_mcp_urls: [],
      custom_plugin_urls: [],
      hooks: [],
    },
  ],
  ['heart', { heartbeat_interval: null, timezone: null, tasks: [] }],
  ['control', { channels: [], default_channel: null }],
  [
    'visibility',
    {
      profile_visibility: 'private',
      public_sections: [],
      public_bio: null,
      show_in_directory: false,
      allow_cloning: false,
      show_owner_profile: true,
      ability_access: null,
    },
  ],
] as const)('an empty %s gets its defaults', ([member, defaults]) => {
  expect(CharacterInput.parse({ name: 'Ada', [member]: {} })[member]).toEqual(defaults)
})

test.for([
  [
    'appearance.photo_meta.0',
    { url: 'u' },
    { prompt: '', model: '', provider: '', source: '', seed: null, created_at: null },
  ],
  ['brain.mcps.0', { name: 'm' }, { url: null, env: {}, enabled: true }],
  ['brain.plugins.0', { name: 'p' }, { version: null, config: {}, enabled: true }],
  ['brain.hooks.0', { event: 'e', action: 'a' }, { description: null, enabled: true }],
  ['control.channels.0', { name: 'c', type: 't' }, { config: {}, enabled: true }],
  [
    'visibility.ability_access',
    {},
    // That of friends is filled in when it is stored.
    { feed: 'private', chat: 'private', memory: 'private' },
  ],
] as const)('what %s leaves out gets its defaults', ([path, sent, defaults]) => {
  const whole = CharacterInput.parse({ name: 'Ada', ...(at(path, sent) as object) })
  expect(whole).toMatchObject(at(path, { ...sent, ...defaults }) as object)
})

test.for([
  ['name', '', 'x', ''],
  ['name', 'n'.repeat(201), 'n'.repeat(200), ''],
  ['name', '🜁'.repeat(201), '🜁'.repeat(200), ''],
  ['name', 'a\u202eb', 'a b', ''],
  ['name', 'a\u200bb', 'tägliche Übersicht', ''],
  ['name', 'a\nb', 'a–b', ''],
  ['name', null, 'x', ''],
  ['id', '-ada', 'ada', ''],
  ['id', 'a b', 'A.d_a-1', ''],
  ['id', 'a'.repeat(129), 'a'.repeat(128), ''],
  ['id', '', null, ''],
  ['role', 7, null, ''],
  ['skills', null, [], ''],
  ['skills.0', 1, 'x', ''],
  ['brain.temperature', -0.1, 0, ''],
  ['brain.temperature', 2.01, 2, ''],
  ['brain.temperature', '1', null, ''],
  ['brain.max_tokens', 0, 1, ''],
  ['brain.max_tokens', 128_001, 128_000, ''],
  ['brain.max_tokens', 1.5, null, ''],
  ['brain.mcps.0.name', undefined, 'm', ''],
  ['brain.mcps.0', { name: 'm', env: { A: 1 } }, { name: 'm', env: { A: '1' } }, '.env.A'],
  ['brain.plugins.0', { name: 'p', config: [] }, { name: 'p', config: { a: [] } }, '.config'],
  ['brain.hooks.0', { event: 'e' }, { event: 'e', action: 'a' }, '.action'],
  ['brain.hooks.0', { action: 'a' }, { event: 'e', action: 'a' }, '.event'],
  ['control.channels.0', { name: 'c' }, { name: 'c', type: 't' }, '.type'],
  ['appearance.seed', 1.5, 2, ''],
  ['appearance.photo_meta.0', {}, { url: 'u' }, '.url'],
  [
    'appearance.photo_meta.0',
    { url: 'u', prompt: 'p'.repeat(1001) },
    { url: 'u', prompt: '🜁'.repeat(1000) },
    '.prompt',
  ],
  ['visibility.profile_visibility', 'secret', 'unlisted', ''],
  ['visibility.profile_visibility', null, 'public', ''],
  ['visibility.ability_access.feed', null, 'unknown', ''],
  ['heart.timezone', 'Mars/Olympus', 'Europe/Berlin', ''],
  ['heart.heartbeat_interval', 'soon', '90m', ''],
  ['heart.tasks.0.name', undefined, 'x', ''],
] as const)('%s may not be %j but may be %j', ([path, wrong, right, below]) => {
  const base = path === 'name' ? {} : { name: 'Ada' }
  const pointer = `/${(path + below).replaceAll('.', '/')}`
  expect(faults({ ...base, ...(at(path, wrong) as object) })).toEqual([pointer])
  expect(faults({ ...base, ...(at(path, right) as object) })).toEqual([])
})

test('unknown members are kept at every level', () => {
  const extra = { x_note: { deep: [1] }, constructor: 'plain' }
  const sent = {
    name: 'Ada',
    ...extra,
    personality: { ...extra },
    appearance: { ...extra, photo_meta: [{ url: 'u', ...extra }] },
    brain: {
      ...extra,
      mcps: [{ name: 'm', ...extra }],
      plugins: [{ name: 'p', config: { ...extra }, ...extra }],
      hooks: [{ event: 'e', action: 'a', ...extra }],
    },
    heart: { ...extra },
    control: { ...extra, channels: [{ name: 'c', type: 't', ...extra }] },
    visibility: { ...extra, ability_access: { ...extra } },
  }
  expect(CharacterInput.parse(sent)).toMatchObject(sent)
})

test('an agent is kept with its first members in order, its heart without tasks, and its words', () => {
  const input = CharacterInput.parse({
    name: 'Ada Lovelace',
    role: 'Analyst',
    tagline: 'Counts what matters',
    skills: ['Poetry', 'analysis'],
    heart: { timezone: 'UTC', x_pulse: 60, tasks: [{ name: 'Digest' }] },
  })
  const kept = characterFrom(input, {
    ...place,
    id: 'ada.l',
    createdAt: '2025-01-01T00:00:00.000Z',
  })
  expect(Object.keys(kept).slice(0, 7)).toEqual([
    'id',
    'revision',
    'heart',
    'owner_id',
    'app_id',
    'local_id',
    'name',
  ])
  expect(JSON.stringify(kept.heart)).toBe(
    '{"tasks":[],"heartbeat_interval":null,"timezone":"UTC","x_pulse":60}',
  )
  expect(kept.words).toEqual(
    expect.arrayContaining(['ada', 'l', 'lovelace', 'analyst', 'counts', 'poetry', 'analysis']),
  )
  expect(kept).toMatchObject({
    created_at: '2025-01-01T00:00:00.000Z',
    updated_at: place.now,
    owner_id: 'acc_1',
  })
})

test('members that only the platform sets are ignored with a warning each', () => {
  const forged = {
    owner_id: 'acc_2',
    app_id: 'shop',
    local_id: 'x',
    revision: 99,
    created_at: 'then',
    updated_at: 'then',
    words: ['mine'],
    warnings: [],
    import_report: {},
  }
  const input = CharacterInput.parse({ name: 'Ada', ...forged })
  const kept = characterFrom(input, place)
  expect(kept).toMatchObject({ owner_id: 'acc_1', app_id: null, local_id: null, revision: 1 })
  expect(kept).not.toHaveProperty('warnings')
  expect(kept).not.toHaveProperty('import_report')
  expect(kept.words).toEqual(['ada'])
  const warnings = characterWarnings(input, { objection })
  expect(warnings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(
    Object.keys(forged).map((name) => `member_ignored /${name}`),
  )
})

test('sending back what was read warns of nothing', () => {
  const kept = characterFrom(CharacterInput.parse({ name: 'Ada', heart: {} }), place)
  const { words, ...read } = kept
  const { merged } = patchedCharacter(kept, { ...read, tagline: 'new' })
  expect(words).toEqual(['ada'])
  expect(characterWarnings(CharacterInput.parse(merged), { objection, previous: kept })).toEqual([])
})

test('a patch merges objects deep, replaces lists, and a null removes entries of free maps only', () => {
  const kept = characterFrom(
    CharacterInput.parse({
      name: 'Ada',
      skills: ['a', 'b'],
      brain: { llm_model: 'm', temperature: 1 },
      metadata: { a: 1, b: { c: 2 } },
    }),
    place,
  )
  const patch = { skills: ['c'], brain: { llm_model: null }, metadata: { a: null, b: { d: 3 } } }
  const { merged, tasksKept } = patchedCharacter(kept, patch)
  expect(tasksKept).toBe(true)
  const next = characterFrom(CharacterInput.parse(merged), { ...place, revision: 2 })
  expect(next).toMatchObject({
    name: 'Ada',
    skills: ['c'],
    brain: { llm_model: null, temperature: 1 },
    metadata: { b: { c: 2, d: 3 } },
    revision: 2,
  })
  expect(next).not.toHaveProperty('metadata.a')
})

test.for([
  [{ tagline: 'x' }, true],
  [{ heart: { timezone: 'UTC' } }, true],
  [{ heart: { tasks: [] } }, false],
  [{ heart: null }, false],
] as const)('the patch %j keeps the tasks: %s', ([patch, isKept]) => {
  const kept = characterFrom(CharacterInput.parse({ name: 'Ada', heart: {} }), place)
  expect(patchedCharacter(kept, patch).tasksKept).toBe(isKept)
})

test.for([
  ['brain.plugins.0.name', 'memry', 'unknown_value', 'memory'],
  ['brain.skills.0', 'knowlege', 'unknown_value', 'knowledge'],
  ['brain.hooks.0.event', 'before_rum', 'unknown_value', 'before_run'],
  ['brain.hooks.0.action', 'email:me', 'unknown_value', undefined],
  ['brain.hooks.0.action', 'webhook:http://open.example', 'unknown_value', undefined],
  ['brain.hooks.0.action', 'memory:__proto__/x', 'unknown_value', undefined],
  ['brain.hooks.0.action', 'memory:notes/a/b', 'unknown_value', undefined],
  ['brain.custom_plugin_urls', ['https://x.example'], 'never_loaded', undefined],
  ['control.channels.0.type', 'webhok', 'unknown_value', 'webhook'],
  ['control.channels.0.type', 'mcp', 'not_deliverable', undefined],
  ['control.default_channel', 'nowhere', 'unknown_value', undefined],
  ['visibility.public_sections.0', 'bios', 'unknown_value', 'bio'],
  ['visibility.ability_access.feed', 'freinds', 'unknown_value', 'friends'],
  ['visibility.ability_access.feed', 'members', 'level_reduced', undefined],
  ['heart.heartbeat_interval', '30m', 'interval_raised', undefined],
] as const)('%s = %j is kept with the warning %s', ([path, value, code, suggestion]) => {
  const whole = {
    name: 'Ada',
    ...(at(path, value) as { brain?: { hooks?: object[]; plugins?: object[] } }),
  }
  const hook = whole.brain?.hooks?.[0]
  if (hook) whole.brain = { hooks: [{ event: 'after_run', action: 'task:t', ...hook }] }
  if (path.startsWith('control.channels')) Object.assign(whole, channelOf(value))
  if (path.startsWith('heart')) Object.assign(whole, heartOf(value))
  const warnings = characterWarnings(CharacterInput.parse(whole), { objection })
  expect(warnings).toEqual([
    {
      code,
      pointer: `/${path.replaceAll('.', '/')}`,
      message: expect.any(String),
      ...(suggestion && { suggestion }),
    },
  ])
})

function channelOf(type: unknown): object {
  return { control: { channels: [{ name: 'c', type }] } }
}

function heartOf(interval: unknown): object {
  return {
    heart: { heartbeat_interval: interval, tasks: [{ name: 'heartbeat', prompt: 'Look.' }] },
  }
}

test('known values warn of nothing', () => {
  const sent = {
    name: 'Ada',
    brain: {
      plugins: [{ name: 'web' }],
      hooks: [
        { event: 'run.failed', action: 'task:fix' },
        { event: 'on_error', action: 'memory:log/last' },
        { event: 'before_run', action: 'webhook:https://x.example/h' },
      ],
    },
    control: {
      channels: [{ name: 'ops', type: 'webhook', config: { url: 'https://x.example/in' } }],
      default_channel: 'ops',
    },
    visibility: {
      public_sections: ['bio'],
      ability_access: { chat: 'members', feed: 'public_paid' },
    },
    heart: {
      heartbeat_interval: '2h',
      tasks: [{ task_id: 'heartbeat', name: 'Wake', prompt: 'Look.' }],
    },
  }
  expect(characterWarnings(CharacterInput.parse(sent), { objection })).toEqual([])
})

test('a heartbeat without its task is warned of, unless the tasks stay as they are', () => {
  const input = CharacterInput.parse({ name: 'Ada', heart: { heartbeat_interval: '2h' } })
  expect(characterWarnings(input, { objection }).map(({ code }) => code)).toEqual([
    'heartbeat_without_task',
  ])
  expect(characterWarnings(input, { objection, tasksKept: true })).toEqual([])
})

test('every address that the guarded fetch would refuse is warned of where it stands', () => {
  const url = 'http://10.0.0.1/x'
  const sent = {
    name: 'Ada',
    brain: {
      mcps: [{ name: 'm', url }],
      custom_skill_urls: ['https://fine.example', url],
      custom_mcp_urls: [url],
      hooks: [{ event: 'on_error', action: 'webhook:https://refused.example' }],
    },
    control: { channels: [{ name: 'ops', type: 'webhook', config: { url } }] },
    heart: { tasks: [{ name: 't', runtime: 'api', api_url: url }] },
  }
  const refused = (url: string): string | undefined =>
    url.includes('fine') ? undefined : 'it is private'
  const warnings = characterWarnings(CharacterInput.parse(sent), { objection: refused })
  expect(warnings.map(({ pointer }) => pointer)).toEqual([
    '/brain/mcps/0/url',
    '/brain/custom_skill_urls/1',
    '/brain/custom_mcp_urls/0',
    '/brain/hooks/0/action',
    '/control/channels/0/config/url',
    '/heart/tasks/0/api_url',
  ])
  expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(['address_refused']))
})

test('two tasks of one agent may not have the same task_id', () => {
  const tasks = [{ name: 'a', task_id: 't' }, { name: 'b' }, { name: 'c', task_id: 't' }]
  const issues = CharacterInput.safeParse({ name: 'Ada', heart: { tasks } }).error?.issues
  expect(issues).toMatchObject([
    { path: ['heart', 'tasks', 2, 'task_id'], params: { code: 'duplicate_task_id' } },
  ])
})

test.for([
  [200, []],
  [201, ['/heart/tasks']],
] as const)('an agent of %d tasks has the faults %j', ([count, expected]) => {
  const tasks = Array.from({ length: count }, () => ({ name: 'Digest' }))
  expect(faults({ name: 'Ada', heart: { tasks } })).toEqual(expected)
})

test.for([
  ['Ada Lovelace', 'ada-lovelace-x1'],
  ['  Übergrößen & Co. ', 'ubergro-en-co-x1'],
  ['日本', 'agent-x1'],
  ['a--b', 'a-b-x1'],
] as const)('the name "%s" makes the id "%s"', ([name, id]) => {
  expect(idFromName(name, 'x1')).toBe(id)
})

test('an id made from the longest name is one that callers could choose', () => {
  const id = idFromName('long name '.repeat(20), 'x1y2z3')
  expect(faults({ name: 'Ada', id })).toEqual([])
  expect(id).toMatch(/[a-z]-x1y2z3$/)
})

test('words are folded, so that they are found however they are written', () => {
  expect(wordsIn('Ada-Lovelace, ANALYST (2)')).toEqual(['ada', 'lovelace', 'analyst', '2'])
  expect(wordsIn('Ｆｕｌｌ ÜBER naïve')).toEqual(['full', 'über', 'naïve'])
})
