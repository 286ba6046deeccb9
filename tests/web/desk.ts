import { call, claimable } from '#tests/support/rest/call.ts'

/** A support desk whose agents wait for their owner. */
export interface Desk {
  claimUrl: string
  key: string
  /** The agents by what they do. */
  reader: string
  payer: string
  writer: string
  /** The run that could not send its mail. */
  failed: string
}

/**
 * Three agents of an account that no person holds yet: one sorts on a schedule, one asks before it pays back, and
 * one sends mails.
 * @param mailUrl where mails are sent
 */
export async function makeDesk(url: string, mailUrl: string): Promise<Desk> {
  const { api_key: key, claim_url: claimUrl } = await claimable(url, 'Support desk')
  const on = <T>(method: string, path: string, body: object): Promise<T> =>
    call<T>(url, method, path, key, body)
  const ids: string[] = []
  for (const agent of agentsOf(mailUrl)) {
    ids.push((await on<{ id: string }>('POST', '/api/characters/', agent)).id)
  }
  const [reader = '', payer = '', writer = ''] = ids
  const run = (id: string, task: string, input: unknown): Promise<{ id: string }> =>
    on('POST', `/api/characters/${id}/tasks/${task}/run`, { input, wait_seconds: 20 })
  for (const mail of ['Where is my order 17?', 'Thank you!']) await run(reader, 'sort', mail)
  await run(payer, 'refund', { order: 'order 17', cents: 4990 })
  const { id: failed } = await run(writer, 'send', { to: 'kim@example.org' })
  const content = 'Two mails this morning. One is about a refund, Otto has it.'
  await on('POST', '/api/feed/post', { char_id: reader, content })
  return { claimUrl, key, reader, payer, writer, failed }
}

function agentsOf(mailUrl: string): object[] {
  const gate = {
    requires_approval: true,
    require_person: true,
    allow_edit: true,
    approval_prompt: 'Pay back 49.90 EUR for {{order}}?',
  }
  const cron = { type: 'cron', config: { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' } }
  const template = { runtime: 'template' }
  return [
    {
      name: 'Mira',
      role: 'Reads the mail',
      heart: {
        tasks: [
          {
            ...template,
            task_id: 'sort',
            name: 'Sort the mail',
            prompt: 'Sorted: {{input}}',
            triggers: [cron],
          },
        ],
      },
    },
    {
      name: 'Otto',
      role: 'Pays back',
      heart: {
        tasks: [
          {
            ...template,
            task_id: 'refund',
            name: 'Pay back',
            prompt: 'Paid back {{cents}} for {{order}}',
            approval_gate: gate,
          },
        ],
      },
    },
    {
      name: 'Lena',
      role: 'Writes',
      heart: {
        tasks: [{ task_id: 'send', name: 'Send the mail', runtime: 'api', api_url: mailUrl }],
      },
    },
  ]
}
