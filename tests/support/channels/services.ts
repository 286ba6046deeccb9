import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ChannelServices } from '#src/core/settings.ts'
import { startWebServer } from '../web-server.ts'

/** A message as a service has taken it. */
export interface TakenMessage {
  path: string
  body: Record<string, unknown>
}

/** What a service answers to the next calls, instead of taking them. */
export interface Reply {
  status: number
  headers?: Record<string, string>
  body?: unknown
}

/** Stand-ins for Slack, Discord and Telegram on the loopback, which take messages in the form that each documents. */
export interface Services {
  at: ChannelServices
  origin: string
  taken: TakenMessage[]
  /** Calls that had not the form that the service documents, with what is wrong. */
  faults: string[]
  replies: Reply[]
  close(): void
}

/** Tokens that the stand-ins know. */
export const tokens = {
  slack: 'xoxb-hush-hush-slack',
  discord: 'hush.hush.discord',
  telegram: '424242:hush-hush-telegram',
} as const

/** Who is called, by whose leave, and how long its text may be. */
interface Way {
  path: string
  authorization?: string
  text: string
  characters: number
  /** Members that it may have, of which the first must be there. */
  members: readonly string[]
  takes: { status: number; body: string }
}

const discordMembers = ['content', 'allowed_mentions', 'flags']
const ways: readonly Way[] = [
  {
    path: '/api/chat.postMessage',
    authorization: `Bearer ${tokens.slack}`,
    text: 'text',
    characters: 40_000,
    members: ['channel', 'text', 'unfurl_links', 'unfurl_media', 'thread_ts'],
    takes: { status: 200, body: '{"ok":true,"channel":"C1","ts":"1.1"}' },
  },
  {
    path: '/services/T1/B1/hush',
    text: 'text',
    characters: 40_000,
    members: ['text', 'unfurl_links', 'unfurl_media'],
    takes: { status: 200, body: 'ok' },
  },
  {
    path: '/api/v10/channels/77/messages',
    authorization: `Bot ${tokens.discord}`,
    text: 'content',
    characters: 2000,
    members: [...discordMembers, 'nonce', 'enforce_nonce', 'message_reference'],
    takes: { status: 200, body: '{"id":"1"}' },
  },
  {
    path: '/api/v10/webhooks/9/interaction-token',
    text: 'content',
    characters: 2000,
    members: discordMembers,
    takes: { status: 200, body: '{"id":"2"}' },
  },
  {
    path: `/bot${tokens.telegram}/sendMessage`,
    text: 'text',
    characters: 4096,
    members: ['chat_id', 'text', 'link_preview_options', 'message_thread_id', 'reply_parameters'],
    takes: { status: 200, body: '{"ok":true,"result":{"message_id":1}}' },
  },
]

export async function startServices(): Promise<Services> {
  const server = await startWebServer()
  const made: Services = {
    at: { slack: server.origin, discord: server.origin, telegram: server.origin },
    origin: server.origin,
    taken: [],
    faults: [],
    replies: [],
    close: () => server.close(),
  }
  for (const way of ways) {
    server.on(way.path, async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(Buffer.from(chunk))
      answer(made, way, request, Buffer.concat(chunks).toString(), response)
    })
  }
  return made
}

function answer(
  made: Services,
  way: Way,
  request: IncomingMessage,
  sent: string,
  response: ServerResponse,
): void {
  const body = JSON.parse(sent) as Record<string, unknown>
  const faults = faultsOf(way, request, body)
  made.faults.push(...faults.map((fault) => `${way.path}: ${fault}`))
  if (faults.length > 0) return void response.writeHead(400).end()
  const reply = made.replies.shift()
  if (reply) {
    const { status, headers, body: said = '' } = reply
    return void response.writeHead(status, headers).end(JSON.stringify(said))
  }
  made.taken.push({ path: way.path, body })
  response.writeHead(way.takes.status).end(way.takes.body)
}

function faultsOf(
  { authorization, text, characters, members }: Way,
  { method, headers }: IncomingMessage,
  body: Record<string, unknown>,
): string[] {
  const said = body[text]
  const isText = typeof said === 'string' && said.length > 0 && said.length <= characters
  const others = Object.keys(body).filter((name) => !members.includes(name))
  const isDiscord = text === 'content'
  const isInert =
    !isDiscord || JSON.stringify(body.allowed_mentions) === JSON.stringify({ parse: [] })
  const agent = String(headers['user-agent'])
  return [
    ...(method === 'POST' ? [] : ['not a POST']),
    ...(/^application\/json\b/.test(String(headers['content-type'])) ? [] : ['no JSON']),
    ...(headers.authorization === authorization ? [] : ['no leave']),
    ...(isText ? [] : ['no text, or a long one']),
    ...(members[0] && body[members[0]] ? [] : ['nowhere to go']),
    ...others.map((name) => `unknown ${name}`),
    ...(isInert ? [] : ['mentions']),
    ...(!isDiscord || /^DiscordBot \(\S+, \S+\)/.test(agent) ? [] : [`from ${agent}`]),
  ]
}
