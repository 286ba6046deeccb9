import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import type { OwnerNotice } from '#src/accounts/notice.ts'
import type { Approval } from '#src/runs/approvals/approval.ts'
import type { Run } from '#src/runs/run.ts'
import type { RestartedServer } from '#tests/support/kills/restarted.ts'

export const app = 'tern-support'
/** What the manifest shares with those who sign, in place of what it says to replace. */
export const secrets = {
  tickets: 'between the web form and us',
  returns: 'between the form for returns and us',
  operations: 'between us and operations',
}

interface Sent {
  method?: string
  body?: unknown
  /** Makes a repeat of the call do nothing more. */
  once?: string
  headers?: Record<string, string>
  /** From a page of the server, in the browser of the person. */
  fromPage?: true
  /** What else than success is expected. */
  status?: number
}

/** The owner of the desk, and the customers who write to it, as the server sees them. */
export class Desk {
  key = ''
  /** The session of the person who holds the account. */
  cookie = ''
  accountId = ''
  readonly #server: RestartedServer

  constructor(server: RestartedServer) {
    this.#server = server
  }

  /** The answer to a call, which a server gives that is there. */
  async send(path: string, sent: Sent = {}): Promise<{ headers: Headers; text: string }> {
    const { body, once, headers = {}, fromPage, status } = sent
    const answer = await this.#server.answer(async (url) => {
      const response = await fetch(url + path, {
        method: sent.method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(once !== undefined && { 'idempotency-key': `desk-of-the-shop-${once}` }),
          ...(fromPage && { origin: url }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    })
    const isExpected = status === undefined ? answer.status < 300 : answer.status === status
    expect(isExpected, `${path}: ${answer.status} ${answer.text}`).toBe(true)
    return answer
  }

  async #answered<T>(path: string, sent: Sent): Promise<T> {
    // As the documents say of each path.
    return JSON.parse((await this.send(path, sent)).text) as T
  }

  /** As an agent that has no key yet. */
  asStranger<T>(path: string, sent: Sent = {}): Promise<T> {
    return this.#answered(path, sent)
  }

  /** With the account's own key, or with another one. */
  ask<T>(path: string, sent: Sent = {}, key = this.key): Promise<T> {
    const headers = { authorization: `Bearer ${key}`, ...sent.headers }
    return this.#answered(path, { ...sent, headers })
  }

  /** As the person who holds the account. */
  asPerson<T>(path: string, sent: Sent = {}): Promise<T> {
    const of = this.accountId && { 'abode-account': this.accountId }
    const headers = { cookie: this.cookie, ...of }
    return this.#answered(path, { ...sent, headers, fromPage: true })
  }

  /** The page of the person who is signed in. */
  async page(path: string): Promise<string> {
    return (await this.send(path, { headers: { cookie: this.cookie } })).text
  }

  /** What a tool of MCP answers to the account's own key. */
  async tool(name: string, input: object): Promise<{ text: string; structured: object }> {
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: input },
    }
    const headers = {
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${this.key}`,
    }
    const { text } = await this.send('/mcp', { headers, body })
    // One message, alone or as the only event of a stream.
    const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as {
      result: { content: { text: string }[]; structuredContent: object }
    }
    return { text: result.content[0]?.text ?? '', structured: result.structuredContent }
  }

  /** A form of the shop sends what a customer has filled in; it sends it again under the same key. */
  form(
    agent: string,
    path: string,
    secret: string,
    once: string,
    filled: object,
  ): Promise<unknown> {
    const body = JSON.stringify(filled)
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    return this.#answered(`/api/hooks/${app}--${agent}/${path}`, {
      body,
      once,
      headers: { 'x-service-signature': signature },
      status: 202,
    })
  }

  /** The runs of a task, the oldest first. */
  async runs(agent: string, taskId: string): Promise<Run[]> {
    const path = `/api/characters/${app}--${agent}/tasks/${taskId}/runs?limit=100`
    return (await this.ask<{ items: Run[] }>(path)).items.toReversed()
  }

  /** Every run of the account, the newest first. */
  async everyRun(): Promise<Run[]> {
    return (await this.ask<{ items: Run[] }>('/api/runs?limit=100')).items
  }

  /** Every run with what it started, which a message of this customer set going. */
  async chain(words: string): Promise<Run[]> {
    const all = await this.everyRun()
    const isRoot = ({ id, root_run_id, input }: Run): boolean =>
      root_run_id === id && JSON.stringify(input).includes(words)
    const roots = new Set(all.filter(isRoot).map(({ id }) => id))
    return all.filter(({ root_run_id }) => roots.has(root_run_id))
  }

  async task(agent: string, taskId: string): Promise<{ pause_reason: string | null }> {
    return this.ask(`/api/characters/${app}--${agent}/tasks/${taskId}`)
  }

  async approvals(): Promise<Approval[]> {
    return (await this.ask<{ items: Approval[] }>('/api/approvals?limit=100')).items.toReversed()
  }

  /** Every notice to the owner, the newest first. */
  async inbox(): Promise<OwnerNotice[]> {
    return (await this.ask<{ items: OwnerNotice[] }>('/api/account/inbox?limit=100')).items
  }

  /** The newest notice of a kind about a task, once its cause has been told. */
  async notice(type: OwnerNotice['type'], taskId: string): Promise<OwnerNotice | undefined> {
    return (await this.inbox()).find((one) => one.type === type && one.task_id === taskId)
  }
}
