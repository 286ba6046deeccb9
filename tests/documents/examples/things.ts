import { act } from '#src/commons/moderation/act.ts'
import { samples } from '#src/documents/samples.ts'
import { unsubscribeAddress } from '#src/runs/told/unsubscribe.ts'
import { brainThat } from '#tests/support/stand-in-models.ts'
import { callOf, spend } from '#tests/runs/spend/calls.ts'
import { book, charge, hold, topUp } from '#tests/money/wallet/movements.ts'
import { codePostedTo, mailerToNowhere } from '#tests/accounts/mail/posted.ts'
import { codeOf } from '#tests/accounts/people/factor.ts'
import { password, signedInPerson } from '#tests/accounts/people/persons.ts'
import { connectedProgram } from '#tests/oauth/connection.ts'
import { solved } from '#tests/support/members.ts'
import { sampleId, sampleToken, type Got, type Stock, type Who } from './stock.ts'

/** Makes what an example needs. */
export type Need = (stock: Stock) => Promise<unknown>

/** Calls an operation with its own example, once. */
export function exampleOf(name: string, as: Who = 'owner'): Need {
  return (stock) =>
    stock.once(name, async () => {
      const op = stock.core.catalog.find((one) => one.name === name)
      if (!op) throw new Error(`there is no operation ${name}`)
      return stock.ask(name, stock.real(samples(op.example)), as)
    })
}

/** One after the other. */
export function all(...needs: readonly Need[]): Need {
  return async (stock) => {
    for (const need of needs) await need(stock)
  }
}

const named = (stock: Stock, prefix: string, { id }: Got): void =>
  stock.alias(`${prefix}_${sampleId}`, String(id))

export const nothing: Need = () => Promise.resolve()
export const ada = exampleOf('characters.create')
export const grace: Need = (stock) =>
  stock.once('grace', () =>
    stock.ask('characters.create', { character: { id: 'grace', name: 'Grace' } }),
  )
/** Anyone may read her role and her skills, and speak with her. */
export const shown: Need = all(ada, exampleOf('characters.visibility.update'), (stock) =>
  stock.ask('characters.visibility.update', {
    char_id: 'ada',
    visibility: { public_sections: ['role', 'skills'] },
  }),
)
/** Found by what she can do. */
export const poet: Need = (stock) =>
  stock.ask('characters.create', {
    character: {
      id: 'ada',
      name: 'Ada',
      role: 'Poet',
      skills: ['poetry'],
      visibility: {
        profile_visibility: 'public',
        show_in_directory: true,
        public_sections: ['role', 'skills'],
      },
    },
  })
/** She writes to her team. */
export const channeled: Need = (stock) =>
  stock.ask('characters.create', {
    character: {
      id: 'ada',
      name: 'Ada',
      control: {
        channels: [{ name: 'team', type: 'slack', config: { secret: 'xoxb-1', to: 'C012AB3CD' } }],
      },
    },
  })
/** Who writes to her by Telegram is answered. */
export const called: Need = async (stock) => {
  await stock.ask('characters.create', {
    character: {
      id: 'ada',
      name: 'Ada',
      control: {
        channels: [
          {
            name: 'chat',
            type: 'telegram',
            config: {
              secret: '1:a-token-of-a-bot',
              signing_secret: 'a-long-word',
              task_id: 'answer',
            },
          },
        ],
      },
      heart: {
        tasks: [{ task_id: 'answer', name: 'Answer', runtime: 'template', prompt: 'Yes.' }],
      },
    },
  })
  const { items } = await stock.ask('channels.list', { char_id: 'ada' })
  const key = String(items?.[0]?.['in_url']).split('/').at(-1) ?? ''
  stock.alias('5d0c5e1c6e0f0a3b7c9a1f7be0d2b4a6c8e1f305', key)
}
export const friends: Need = all(ada, grace, exampleOf('friends.request'))
export const said: Need = all(friends, async (stock) =>
  named(stock, 'msg', (await exampleOf('messages.send')(stock)) as Got),
)

export const written = all(friends, exampleOf('messages.send'), (stock) =>
  stock.ask('messages.send', { char_id: 'grace', to: 'ada', body: 'Thank you.' }),
)
/** At its fourth revision. */
export const revised: Need = all(ada, async (stock) => {
  for (const tagline of ['Reads a lot', 'Reads everything', 'Reads even more']) {
    await stock.ask('characters.update', { char_id: 'ada', character: { tagline } })
  }
})
/** A model writes for it. */
export const writer: Need = (stock) => {
  const character = { id: 'ada', name: 'Ada', bio: 'Reads.', brain: brainThat('writes') }
  return stock.ask('characters.create', { character })
}
export const ownKey: Need = async (stock) =>
  named(stock, 'key', await stock.ask('api_keys.create', { name: 'Key of the reader' }))
/** An agent of another account has asked Grace, who is of this account. */
export const befriended: Need = all(grace, async (stock) => {
  for (const name of ['characters.create', 'friends.request']) await exampleOf(name, 'other')(stock)
})
export const digest = all(ada, exampleOf('tasks.create'))
export const scheduled: Need = all(digest, (stock) =>
  stock.ask('tasks.update', {
    char_id: 'ada',
    task_id: 'digest',
    task: { triggers: [{ type: 'cron', config: { cron: '0 9 * * 1-5' } }] },
  }),
)
export const paused = all(digest, exampleOf('tasks.pause'))
export const run: Need = all(digest, async (stock) =>
  named(stock, 'run', (await exampleOf('tasks.run')(stock)) as Got),
)

/** A task that waits for an agent which works on it. */
export const waiting: Need = all(ada, async (stock) => {
  const task = { task_id: 'study', name: 'Study', prompt: 'Find out: {{input}}', runtime: 'prompt' }
  await stock.ask('tasks.create', { char_id: 'ada', task })
  const input = { char_id: 'ada', task_id: 'study', input: 'Why are there two tides a day?' }
  named(stock, 'run', await stock.ask('tasks.run', input))
})
export const leased: Need = all(waiting, async (stock) => {
  const { lease_token } = await stock.ask('runs.lease', { char_id: 'ada' })
  stock.alias(`lse_${sampleToken}`, String(lease_token))
})
export const approval: Need = all(ada, async (stock) => {
  const task = {
    task_id: 'newsletter',
    name: 'Newsletter',
    prompt: 'Send: {{input}}',
    runtime: 'template',
    approval_gate: { requires_approval: true, approval_prompt: 'Send the newsletter?' },
  }
  await stock.ask('tasks.create', { char_id: 'ada', task })
  const call = { char_id: 'ada', task_id: 'newsletter', input: 'The tides', wait_seconds: 20 }
  const { approval_id } = await stock.ask('tasks.run', call)
  stock.alias(`apr_${sampleId}`, String(approval_id))
})
export const triggered =
  (trigger: object): Need =>
  (stock) => {
    const task = { task_id: 'take', name: 'Take', prompt: 'Got {{input}}', runtime: 'template' }
    const tasks = [{ ...task, triggers: [trigger] }]
    const character = { id: 'ada', name: 'Ada', heart: { tasks } }
    return stock.ask('characters.create', { character })
  }

export const photo = all(ada, exampleOf('characters.photos.add'))
export const post: Need = all(ada, grace, async (stock) =>
  named(stock, 'post', (await exampleOf('feed.post')(stock)) as Got),
)
export const shownFeed: Need = all(ada, grace, post, (stock) => {
  const visibility = { profile_visibility: 'public', ability_access: { feed: 'public' } }
  return stock.ask('characters.visibility.update', { char_id: 'ada', visibility })
})
export const liked = all(post, exampleOf('posts.like'))
export const commented = all(post, exampleOf('posts.comment'))
export const memory = all(ada, exampleOf('memory.put'))

export const learnt: Need = all(ada, async (stock) => {
  const item = (await exampleOf('knowledge.texts.add')(stock)) as Got
  named(stock, 'kno', item)
  await stock.until(async () => {
    const { status } = await stock.ask('knowledge.get', {
      char_id: 'ada',
      item_id: String(item.id),
    })
    return status === 'indexed'
  })
})

function manifestIn(stock: Stock, name: string): object {
  const op = stock.core.catalog.find((one) => one.name === name)
  if (!op) throw new Error(`there is no operation ${name}`)
  // Operations on manifests have one in their examples.
  return (op.example as { manifest: object }).manifest
}

/** The example makes nothing: it shows what would be made. */
export const app: Need = (stock) =>
  stock.once('app', async () => {
    const op = stock.core.catalog.find(({ name }) => name === 'agent_apps.provision')
    return stock.ask('agent_apps.provision', { ...op?.example, dry_run: false })
  })
export const changedApp: Need = all(app, (stock) => {
  const changed = { ...manifestIn(stock, 'agent_apps.update'), name: 'The newsroom' }
  return stock.ask('agent_apps.update', { app_id: 'newsroom', manifest: changed })
})
export const delivered: Need = async (stock) => {
  const manifest = manifestIn(stock, 'agent_apps.provision')
  const heard = { ...manifest, webhook: { url: 'https://hooks.example.com/newsroom' } }
  await stock.ask('agent_apps.provision', { manifest: heard })
  const { store } = stock.world.ports
  const tried = async () =>
    (await store.deliveries.find({}, { limit: 1 })).find(({ attempts }) => attempts > 0)
  await stock.until(async () => (await tried())?.claim === null)
  const delivery = await tried()
  if (!delivery) throw new Error('nothing was delivered')
  await store.deliveries.update(
    { id: delivery.id },
    { $set: { status: 'failed', due_at: null, next_attempt_at: null } },
  )
  stock.alias(`dlv_${sampleId}`, delivery.id)
}

export const service: Need = all(shown, (stock) =>
  stock.ask('tasks.create', {
    char_id: 'ada',
    task: {
      task_id: 'portrait',
      name: 'Portrait',
      prompt: 'A portrait, drawn in {{input}}',
      runtime: 'template',
      service_enabled: true,
      price_cents: 300,
      form_schema: {
        fields: [{ key: 'style', type: 'select', options: ['ink', 'pencil'], required: true }],
      },
    },
  }),
)
/** Another account whose wallet holds enough for it. */
export const buyer: Need = all(service, async (stock) => {
  const { store, payments } = stock.world.ports
  const currency = await payments.currency()
  const { id } = await stock.ask('account.get', {}, 'other')
  await book(store, { ...topUp(String(id), 1000, 'example'), currency })
})
export const ordered: Need = all(buyer, async (stock) => {
  const made = (await exampleOf('orders.create', 'other')(stock)) as Got
  named(stock, 'ord', made)
  await stock.until(async () => {
    const { status } = await stock.ask('orders.get', { order_id: String(made.id) }, 'other')
    return status === 'completed'
  })
})
export const traded: Need = all(ada, async (stock) => {
  const { store } = stock.world.ports
  const { id } = await stock.ask('account.get', {})
  const sale = charge('acc_other', String(id), 300, 'sale')
  const lines = sale.lines.map((one) => ({ ...one, char_id: 'ada', reference: `ord_${sampleId}` }))
  await book(store, topUp('acc_other', 1000, 'paid'))
  await book(store, hold('acc_other', 500, 'held'))
  await book(store, { ...sale, lines })
})

export const spent: Need = all(ada, async (stock) => {
  const { ports } = stock.world
  const { id } = await stock.ask('account.get', {})
  const usage = { input_tokens: 20, output_tokens: 3 }
  await spend(ports, { owner_id: String(id) }, callOf(usage))
})

export const budgeted: Need = all(ada, exampleOf('budgets.put'))

export const heron: Need = (stock) => stock.member('patient-heron')
export const badger: Need = (stock) => stock.member('curious-badger')
/** Members whom others have come to know. */
export const known: Need = all(heron, badger, async (stock) => {
  for (const handle of ['patient-heron', 'curious-badger']) {
    await stock.world.ports.store.commons_identities.update(
      { id: handle },
      { $set: { joined_at: '2026-02-02T09:00:00.000Z', score: 12, standing_replies: 1 } },
    )
  }
})
export const threadOf = (who: 'heron' | 'badger'): Need =>
  all(known, async (stock) => {
    const made = (await exampleOf('commons.threads.create', who)(stock)) as Got
    named(stock, 'thr', made)
  })
export const reply =
  (thread: Who, who: 'heron' | 'badger'): Need =>
  async (stock) => {
    await threadOf(thread === 'heron' ? 'heron' : 'badger')(stock)
    named(stock, 'rep', (await exampleOf('commons.replies.create', who)(stock)) as Got)
  }
export const advice: Need = all(known, async (stock) => {
  const thread = await stock.ask(
    'commons.threads.create',
    {
      board: 'ask',
      title: 'How do I check the signature of a webhook?',
      body: 'My code says "signature mismatch" for every webhook that arrives.',
    },
    'badger',
  )
  const { id } = thread
  const body = 'Compute the HMAC over the bytes as they came, before any parsing.'
  const answer = await stock.ask('commons.replies.create', { thread_id: id, body }, 'heron')
  await stock.ask('commons.threads.accept', { thread_id: id, reply_id: answer.id }, 'badger')
})
export const asked: Need = all(known, (stock) =>
  stock.ask(
    'commons.messages.send',
    { to: 'patient-heron', body: 'May I ask about your howto?' },
    'badger',
  ),
)
export const looking: Need = all(badger, (stock) =>
  stock.ask(
    'commons.status.set',
    { state: 'looking', headline: 'For someone who knows SQLite' },
    'badger',
  ),
)
export const moderated: Need = all(threadOf('badger'), async (stock) => {
  const { store, clock } = stock.world.ports
  const target = stock.actual(`thr_${sampleId}`)
  await act(store, { action: 'pin', target, reason: 'worth reading', by: 'operator' }, clock.now())
})
/** The heron moderates. */
const moderator: Need = all(heron, async (stock) => {
  // The settings of an example are its own.
  const moderators = stock.world.ports.settings.moderators as Set<string>
  moderators.add('patient-heron')
})
const heldBy = (who: 'heron' | 'badger'): Need =>
  all(threadOf(who), async (stock) => {
    const { store, clock } = stock.world.ports
    const target = stock.actual(`thr_${sampleId}`)
    const order = { action: 'hold', target, reason: 'Advertises, it seems.' } as const
    await act(store, { ...order, by: 'operator' }, clock.now())
  })
export const ownHeld: Need = heldBy('heron')
export const flaggable: Need = all(moderator, threadOf('badger'))
export const held: Need = all(moderator, heldBy('badger'))
export const appealed: Need = all(held, exampleOf('commons.appeal', 'badger'))
/** What the provider sends is signed by it, so here it is taken unread. */
export const signed: Need = (stock) => {
  Object.assign(stock.world.ports.payments, {
    event: () => Promise.resolve({ id: 'evt', about: 'none' }),
  })
  return Promise.resolve()
}
export const challenge: Need = async (stock) => {
  const made = await stock.ask('commons.challenge.get', {}, 'anonymous')
  stock.alias('Ag…', String(made.challenge))
  stock.alias('48213', solved(String(made.challenge), Number(made.bits)))
}
export const notified: Need = all(reply('heron', 'badger'), async (stock) => {
  const { items } = await stock.ask('commons.notifications.list', {}, 'heron')
  stock.alias('ntf_0199c0ffee0000000123456789abcdef', String(items?.[0]?.id))
})

export const hookedHandle: Need = all(known, async (stock) => {
  named(stock, 'cwh', (await exampleOf('commons.webhooks.create', 'heron')(stock)) as Got)
})

/** A registered person, in addition to the unclaimed account. */
export const person: Need = (stock) => stock.person()
export const claimed: Need = all(person, async (stock) => {
  const { claim_url, token } = await stock.claim()
  stock.alias(`act_${sampleToken}`, String(claim_url).split('/').at(-1) ?? '')
  stock.alias('token of the claim', String(token))
})
export const sessions: Need = all(person, async (stock) => {
  const { items } = await stock.ask('auth.sessions.list', {}, 'person')
  stock.alias(`ses_${sampleId}`, String(items?.[0]?.id))
})

/** Mails are sent from here; nothing listens where they go. */
export const mailing: Need = (stock) => {
  stock.world.ports.mailer = mailerToNowhere()
  return Promise.resolve()
}

/** A person has been sent a link for a new password. */
export const mailed: Need = all(person, mailing, async (stock) => {
  const { ports } = stock.world
  const me = await stock.ask('auth.me', {}, 'person')
  const email = String(me.person?.email)
  await stock.ask('auth.request_reset', { email })
  stock.alias(`abl_${sampleToken}`, await codePostedTo(ports, email))
})

/** A person has been sent a link that verifies their address. */
export const verifying: Need = all(person, mailing, async (stock) => {
  const me = await stock.ask('auth.me', {}, 'person')
  await stock.ask('auth.send_verification', {}, 'person')
  const code = await codePostedTo(stock.world.ports, String(me.person?.email))
  stock.alias(`abl_${sampleToken}`, code)
})

/** The person has a mail of a run that failed. */
export const posted: Need = all(person, async (stock) => {
  const me = await stock.ask('auth.me', {}, 'person')
  const told = {
    account_id: String(me.account_id),
    person_id: String(me.person?.id),
    kinds: ['run_failed' as const],
  }
  const address = unsubscribeAddress(stock.world.ports, told)
  stock.alias('Zm9yLXRoaXMtbWFpbC1hbG9uZQ', codeIn(address))
})

/** A notice of an approval that is asked for. */
export const notice: Need = all(approval, async (stock) => {
  const { items } = await stock.ask('account.inbox', {})
  stock.alias(`ntc_${sampleId}`, String(items?.[0]?.id))
})

/** Another person is a member of the person's account. */
export const joined: Need = all(person, async (stock) => {
  const { world } = stock
  const grace = await signedInPerson(world.ports)
  const { url } = await stock.ask('account.members.invite', { role: 'approver' }, 'person')
  await world.ask('account.members.join', { code: codeIn(url) }, { token: grace.token })
  stock.alias(`usr_${sampleId}`, grace.id)
  stock.alias('grace@example.org', grace.email)
})

/** Another person has invited the person into theirs. */
export const invited: Need = all(person, async (stock) => {
  const { world } = stock
  const { token } = await signedInPerson(world.ports)
  const { url } = await world.ask<Got>('account.members.invite', { role: 'approver' }, { token })
  stock.alias(`abm_${sampleToken}`, codeIn(url))
})

function codeIn(url: string | undefined): string {
  return url?.split('/').at(-1) ?? ''
}

export const connection: Need = all(person, async (stock) => {
  const me = await stock.ask('auth.me', {}, 'person')
  const made = await connectedProgram(stock.world.ports, {
    id: String(me.person?.id),
    account_id: String(me.account_id),
    session_id: String(me.session?.id),
  })
  stock.alias(`con_${sampleId}`, made.id)
})

/** A person whose account has no name, so that their address is typed. */
export const registered: Need = all(person, async (stock) => {
  const me = await stock.ask('auth.me', {}, 'person')
  stock.alias('ada@example.org', String(me.person?.email))
})

/** What a person is given who begins with codes of an app. */
async function secretOf(stock: Stock): Promise<string> {
  await stock.person()
  const { secret } = await stock.ask('auth.second_factor.begin', {}, 'person')
  return String(secret)
}

const timeOf = ({ world }: Stock): number => world.ports.clock.now().getTime()

/** A person has begun with codes of an app. */
export const begun: Need = async (stock) =>
  stock.alias('123456', codeOf(await secretOf(stock), 0, timeOf(stock)))

/** Codes are asked for. */
export const guarded: Need = async (stock) => {
  const secret = await secretOf(stock)
  await stock.ask(
    'auth.second_factor.enable',
    { code: codeOf(secret, -1, timeOf(stock)) },
    'person',
  )
  stock.alias('123456', codeOf(secret, 0, timeOf(stock)))
}

/** The password was right, and waits for the code. */
export const halfway: Need = all(guarded, async (stock) => {
  const me = await stock.ask('auth.me', {}, 'person')
  const sent = { email: String(me.person?.email), password }
  const asked = stock.ask('auth.login', sent, 'anonymous')
  const refusal: unknown = await asked.catch((cause: unknown) => cause)
  const { members } = refusal as { members?: { pending?: string } }
  stock.alias('what auth.login was refused with', String(members?.pending))
})
