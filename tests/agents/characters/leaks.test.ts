import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publicSections } from '#src/agents/known.ts'
import type { Store } from '#src/ports/store.ts'
import { oneStore, stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

/** A word that stands for one member, so that it is known wherever it turns up. */
const mark = (name: string): string => `zq${name}qz`
const marksIn = (value: unknown): string[] =>
  [...new Set(JSON.stringify(value).match(/zq[a-z0-9]+?qz/gi))].toSorted()
const picture = (name: string): string => `https://img.example/${mark(name)}.png`

/** An object of these members, each with its mark. */
const marked = (prefix: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, mark(prefix + name.replaceAll('_', ''))]))

const manner = ['communication_style', 'humor', 'energy', 'temperament']
const looks = [
  'age_range',
  'gender',
  'ethnicity',
  'build',
  'hair',
  'facial_hair',
  'eyes',
  'style',
] as const

const character = {
  name: mark('name'),
  full_name: mark('fullname'),
  role: mark('role'),
  tagline: mark('tagline'),
  bio: mark('bio'),
  skills: [mark('skills')],
  tools: [mark('tools')],
  knowledge_domains: [mark('domains')],
  personality: { traits: [mark('ptraits')], ...marked('p', manner), x_note: mark('pnote') },
  appearance: {
    ...marked('l', looks),
    accessories: [mark('laccessories')],
    avatar_url: picture('avatar'),
    avatar_prompt: mark('lavatarprompt'),
    photos: [picture('lphoto'), `javascript:${mark('lscript')}`],
    photo_meta: [
      {
        url: picture('lmeta'),
        ...marked('lmeta', ['prompt', 'model', 'provider', 'source', 'created_at', 'x_note']),
      },
    ],
    x_note: { deep: [mark('lnote')] },
  },
  brain: {
    ...marked('b', ['agent_type', 'abode_fork', 'llm_provider', 'llm_model']),
    system_prompt_override: mark('bprompt'),
    mcps: [
      { name: mark('bmcp'), url: picture('bmcpurl'), env: { [mark('benv')]: mark('benvval') } },
    ],
    plugins: [{ name: mark('bplugin'), config: { a: mark('bconfig') } }],
    skills: [mark('bskill')],
    custom_skill_urls: [picture('bskillurl')],
    hooks: [
      { event: 'after_run', action: `memory:${mark('bhook')}/k`, description: mark('bhookd') },
    ],
    x_note: mark('bnote'),
  },
  control: {
    channels: [
      {
        name: mark('cname'),
        type: 'webhook',
        config: { url: picture('curl'), secret: mark('csecret') },
      },
    ],
    default_channel: mark('cname'),
    x_note: mark('cnote'),
  },
  heart: { timezone: 'UTC', x_note: mark('hnote'), tasks: [] },
  x_note: mark('xnote'),
  [mark('xname')]: { [mark('xdeep')]: [mark('xdeeper')] },
  // Names of public members, at a place where they have no meaning.
  extensions: { role: mark('xrole'), public_bio: mark('xbio'), owner: mark('xowner') },
}

const offered = {
  task_id: mark('taskid'),
  order: 1,
  name: mark('tname'),
  public_title: mark('ttitle'),
  description: mark('tdescription'),
  cta_label: mark('tcta'),
  service_enabled: true,
  price_cents: 100,
  form_schema: {
    fields: [
      {
        key: mark('fkey'),
        label: mark('flabel'),
        placeholder: mark('fplaceholder'),
        type: mark('ftype'),
        options: [mark('foption')],
        x_note: mark('fnote'),
      },
    ],
    x_note: mark('fnote'),
  },
  prompt: mark('tprompt'),
  variables: { [mark('tvar')]: mark('tvarval') },
  variable_types: { a: mark('tvartype') },
  triggers: [{ type: 'webhook', config: { path: mark('tpath'), secret: mark('tsecret') } }],
  tools: [{ name: mark('ttool'), config: { a: mark('ttoolconfig') } }],
  ...marked('t', ['autonomy', 'runtime', 'runtime_mode', 'model_override', 'router_model']),
  ...marked('t', ['container_image', 'container_command', 'shell_command', 'workflow_entry']),
  api_url: picture('tapi'),
  artifact_stores: [{ type: mark('tstore'), connection: mark('tconnection') }],
  output_path: mark('toutput'),
  memory_namespace: mark('tmemory'),
  selected_secrets: [mark('tselected')],
  selected_connections: [mark('tconnections')],
  output_sharing: {
    enabled: true,
    target_agent_id: mark('ttarget'),
    message_prefix: mark('tprefix'),
  },
  social_posting: { enabled: true, channels: [mark('tchannel')] },
  payment_price_id: mark('tprice'),
  satellite_category: mark('tcategory'),
  quorum: { min_approvals: 1, approver_agent_ids: [mark('tquorum')] },
  approval_gate: {
    requires_approval: true,
    approval_prompt: mark('tgate'),
    approvers: [mark('tapprover')],
  },
  reliability: { max_jitter_seconds: 1, x_note: mark('treliability') },
  tags: [mark('ttag')],
  x_note: mark('tnote'),
}

/** What is shown to everybody of each section. */
const sectionMarks: Readonly<Record<string, readonly string[]>> = {
  role: [mark('role')],
  tagline: [mark('tagline')],
  bio: [mark('bio')],
  skills: [mark('skills')],
  tools: [mark('tools')],
  knowledge_domains: [mark('domains')],
  personality: [mark('ptraits'), ...Object.values(marked('p', manner))],
  appearance: [...Object.values(marked('l', looks)), mark('laccessories'), mark('lphoto')],
}
/** A word of each section that the directory finds it by; looks are shown and not searched. */
const searched = publicSections.filter((section) => section !== 'appearance')
const always = ['name', 'avatar', 'publicbio']
const ofOffers = ['taskid', 'ttitle', 'tdescription', 'tcta', 'fkey', 'flabel', 'fplaceholder']

const subsets = Array.from({ length: 2 ** publicSections.length }, (_, bits) =>
  publicSections.filter((_name, i) => bits & (1 << i)),
)

describe.each(oneStore())('what leaves in public on $name', (kind) => {
  let store: Store
  let world: World
  let key: string
  let accountId: string

  beforeAll(async () => {
    store = await kind.open()
    world = openWorld(store)
    const claimed = await world.ask<{ api_key: string }>('agent_claim.create', {
      name: mark('owner'),
    })
    key = claimed.api_key
    accountId = (await world.ask<{ id: string }>('account.get', {}, key)).id
    const tell = (op: string, input: object): Promise<unknown> => world.ask(op, input, key)
    await tell('characters.create', { character: { id: 'ada', ...character } })
    await tell('characters.create', { character: { id: 'eve', name: 'Eve' } })
    for (const task of [
      offered,
      { task_id: mark('plainid'), order: 2, name: mark('plain') },
      { ...offered, task_id: mark('hiddenid'), public: false, description: mark('hidden') },
    ]) {
      const triggers = task === offered ? offered.triggers : []
      await tell('tasks.create', { char_id: 'ada', task: { ...task, triggers } })
    }
    const secrets = [{ name: 'TOKEN', value: mark('secret') }]
    await tell('characters.secrets.update', { char_id: 'ada', secrets })
    await tell('memory.put', { char_id: 'ada', namespace: 'n', key: 'k', value: mark('memory') })
    const friend = { char_id: 'ada', friend_id: 'eve', note: mark('friendnote') }
    await tell('friends.request', friend)
    await tell('messages.send', { char_id: 'eve', to: 'ada', body: mark('message') })
    await tell('api_keys.create', { name: mark('keyname'), scope_char_id: 'ada' })
  })
  afterAll(() => store.close())

  const set = (visibility: object): Promise<unknown> =>
    world.ask('characters.visibility.update', { char_id: 'ada', visibility }, key)
  const read = (op: string, input: object): Promise<{ items: { id: string }[] }> =>
    world.ask(op, input)
  const found = async (query: object): Promise<boolean> => {
    const { items } = await read('public.agents.list', query)
    return items.some(({ id }) => id === 'ada')
  }

  // Half a thousand reads for each of them: on one store all of them, on the other some.
  const some = subsets.filter((_, i) => kind.name === 'sqlite' || i % 37 === 0 || i === 255)
  it('is what the sections say, for every choice of them', { timeout: 240_000 }, async () => {
    for (const [i, chosen] of some.entries()) {
      const showsOwner = i % 2 === 0
      await set({
        profile_visibility: 'public',
        show_in_directory: true,
        // Besides known sections, members that hold data and are not sections.
        public_sections: [...chosen, 'brain', 'control', 'x-note', 'full_name', 'constructor'],
        public_bio: mark('publicbio'),
        show_owner_profile: showsOwner,
        ability_access: { feed: 'public', 'x-note': mark('vanote') },
        'x-note': mark('vnote'),
      })
      const shown = [
        ...[...always, ...(showsOwner ? ['owner'] : [])].map(mark),
        ...chosen.flatMap((section) => sectionMarks[section] ?? []),
      ].toSorted()
      const profile = await read('public.agents.get', { char_id: 'ada' })
      expect(marksIn(profile)).toEqual(shown)
      const { items } = await read('public.agents.list', { limit: 100 })
      expect(items).toEqual([profile])
      expect(marksIn(await read('public.tasks', { char_id: 'ada' }))).toEqual(
        [...ofOffers, 'ftype', 'foption', 'plainid', 'plain'].map(mark).toSorted(),
      )
      expect(marksIn(await read('public.feed', { char_id: 'ada' }))).toEqual([])
      expect(JSON.stringify([profile, items])).not.toContain(accountId)
      for (const section of searched) {
        const q = sectionMarks[section]?.[0]
        expect(await found({ q }), `${section} in ${String(chosen)}`).toBe(chosen.includes(section))
      }
      expect(await found({ skill: mark('skills') })).toBe(chosen.includes('skills'))
    }
  })

  it('is found by no word of what is private', async () => {
    await set({ profile_visibility: 'public', show_in_directory: true, public_sections: [] })
    expect(await found({ q: mark('publicbio') })).toBe(true)
    const all = marksIn([character, offered])
    expect(all.length).toBeGreaterThan(80)
    for (const word of all.filter((one) => one !== mark('name'))) {
      expect(await found({ q: word }), word).toBe(false)
      expect(await found({ skill: word }), word).toBe(false)
    }
  })

  it.each(['private', 'unlisted'])('is in no list where the profile is %s', async (level) => {
    await set({ profile_visibility: level, show_in_directory: true, public_sections: ['role'] })
    expect(await found({})).toBe(false)
    for (const word of [mark('name'), mark('role'), 'ada']) {
      expect(await found({ q: word })).toBe(false)
    }
    expect(await store.directory.count({})).toBe(0)
    expect(await store.directory_skills.count({})).toBe(0)
  })
})

it.each([
  ['https://img.example/a.png', true],
  ['HTTP://img.example/a.png', true],
  ['/media/med_1.png', true],
  ['javascript:alert(1)', false],
  [' javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['//evil.example/a.png', false],
  ['/api/account', false],
  ['', false],
])('the picture at "%s" is shown: %s', async (avatar_url, isShown) => {
  const store = await stores()[0]?.open()
  if (!store) throw new Error('there is a store')
  const world = openWorld(store)
  const { key } = await world.account()
  const visibility = { profile_visibility: 'unlisted', public_sections: ['appearance'] }
  const sent = {
    id: 'ada',
    name: 'Ada',
    visibility,
    appearance: { avatar_url, photos: [avatar_url] },
  }
  await world.ask('characters.create', { character: sent }, key)
  expect(await world.ask('public.agents.get', { char_id: 'ada' })).toMatchObject({
    avatar_url: isShown ? avatar_url : null,
    appearance: { avatar_url: isShown ? avatar_url : null, photos: isShown ? [avatar_url] : [] },
  })
  await store.close()
})

it.each([
  ['Ada & Co.', true],
  ['ada@example.com', false],
  ['ab_0123456789abcdefghijABCDEFGHIJ01234567', false],
])('an account called "%s" shows its name: %s', async (name, isShown) => {
  const store = await stores()[0]?.open()
  if (!store) throw new Error('there is a store')
  const world = openWorld(store)
  const { api_key: key } = await world.ask<{ api_key: string }>('agent_claim.create', { name })
  const visibility = { profile_visibility: 'public' }
  await world.ask('characters.create', { character: { id: 'ada', name: 'Ada', visibility } }, key)
  const { owner } = await world.ask<{ owner: object }>('public.agents.get', { char_id: 'ada' })
  expect(owner).toEqual({ kind: 'agent', ...(isShown && { name }) })
  await store.close()
})
