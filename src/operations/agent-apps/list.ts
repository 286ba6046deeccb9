import * as z from 'zod'
import { App, slimApp } from '#src/agents/app/app.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'

export const list = operation({
  name: 'agent_apps.list',
  summary: 'List the apps of the account, newest first.',
  use: 'Then: agent_apps_get.',
  example: {},
  auth: 'key',
  http: { method: 'GET', path: '/api/agent-apps/' },
  toolsets: ['core', 'apps'],
  proposes: { member: 'app_id', from: 'app_id', limit: 100 },
  input: z.strictObject(pageInput),
  output: pageOf(App),
  slim: slimApp,
  refuses: ['cursor_invalid'],

  async run(page, { store, caller }) {
    const order = { list: `apps ${caller.accountId}`, by: 'created_at', direction: -1 } as const
    const { rows, next } = await readPage(store.apps, { owner_id: caller.accountId }, page, order)
    return pageAnswer(
      rows.map((row) => row.text),
      next,
    )
  },
})
