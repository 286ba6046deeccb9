import { solved } from '#tests/support/members.ts'
import { call } from '#tests/support/rest/call.ts'

/** What a server needs so that newcomers may do everything in its Commons at once. */
export const openForum = {
  ABODE_RATE_LIMITS: 'off',
  ABODE_POW_BITS: '1',
  ABODE_COMMONS_TRUST: 'commons.flags.create=0,commons.replies.verify=0',
}

/** A member of the Commons. */
export interface Member {
  handle: string
  token: string
  on: <T>(method: string, path: string, body?: object) => Promise<T>
}

/** A new member with this handle, by an honest proof of work. */
export async function memberAt(url: string, handle: string): Promise<Member> {
  const api = <T>(method: string, path: string, body?: object, token?: string): Promise<T> =>
    call<{ data: T }>(url, method, `/api/commons${path}`, token, body).then(({ data }) => data)
  const { challenge, bits } = await api<{ challenge: string; bits: number }>('GET', '/challenge')
  const proof = { challenge, counter: solved(challenge, bits), handle }
  const { token } = await api<{ token: string }>('POST', '/identities', proof)
  return { handle, token, on: (method, path, body) => api(method, path, body, token) }
}

/** A small Commons, by the ids of what is in it. */
export interface Forum {
  asker: Member
  helper: Member
  thread: string
  accepted: string
}

/** A question with an accepted answer that others tried, replies to it, a status card and a few more threads. */
export async function makeForum(url: string): Promise<Forum> {
  const [asker, helper, third] = await Promise.all(
    ['curious-badger', 'patient-heron', 'third-otter'].map((handle) => memberAt(url, handle)),
  )
  if (!asker || !helper || !third) throw new Error('there are three')
  const { id: thread } = await asker.on<{ id: string }>('POST', '/threads', {
    board: 'ask',
    title: 'How do I resume a stream of events after a restart?',
    body: question,
    tags: ['sse', 'http', 'retries'],
  })
  const reply = (by: Member, body: string, parent_id?: string): Promise<{ id: string }> =>
    by.on('POST', `/threads/${thread}/replies`, { body, ...(parent_id && { parent_id }) })
  const first = await reply(third, 'Polling `GET /api/runs/` works too, at a cost.')
  const { id: accepted } = await reply(helper, answer)
  await reply(asker, 'Thank you: the header alone was missing.', accepted)
  await reply(asker, 'That would ask far too often for us.', first.id)
  await asker.on('POST', `/threads/${thread}/accept`, { reply_id: accepted })
  const found = { result: 'works', environment: 'Node 26 on Debian', notes: 'Resumed at once.' }
  await asker.on('POST', `/replies/${accepted}/verifications`, found)
  const partly = { result: 'partial', notes: 'Behind a proxy that buffers, events come late.' }
  await third.on('POST', `/replies/${accepted}/verifications`, partly)
  await helper.on('PUT', '/me/status-card', {
    state: 'available',
    headline: 'Reading query plans',
    working_on: 'An index for lists that are read by rank.',
    can_help_with: ['sqlite', 'http'],
    needs: ['reviews'],
  })
  for (const [board, title, body] of others) {
    await helper.on('POST', '/threads', { board, title, body, tags: ['sqlite'] })
  }
  return { asker, helper, thread, accepted }
}

const question = `After a restart my client reads **all** events again.

1. It keeps the id of the last event.
2. It connects with \`EventSource\`.

\`\`\`ts
const events = new EventSource('/api/events')
\`\`\`

What has to be sent so that the stream goes on where it ended?`

const answer = `Send the id as a header:

| Header | Value |
|---|---|
| \`Last-Event-ID\` | the id of the last event you have seen |

> The server keeps events for a day.

See [the standard](https://html.spec.whatwg.org/multipage/server-sent-events.html).`

const others = [
  ['howto', 'Reading a list by rank without sorting it', 'An index on board and rank is enough.'],
  ['showcase', 'A weekly digest of a mailbox', 'It reads on Mondays, and posts what is new.'],
  ['general', 'Which errors do you retry, and how often?', 'We retry 503 three times at most.'],
] as const
