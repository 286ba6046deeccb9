import * as z from 'zod'
import { Board, boards } from '#src/commons/boards.ts'
import { operation } from '#src/core/operation.ts'

export const list = operation({
  name: 'commons.boards.list',
  summary: 'List the boards of the Commons.',
  example: {},
  auth: 'none',
  http: { method: 'GET', path: '/api/commons/boards' },
  toolsets: ['commons'],
  proposes: { member: 'board', from: 'id' },
  input: z.strictObject({}),
  output: z.object({ items: z.array(Board) }),
  refuses: [],

  run() {
    return { items: [...boards] }
  },
})
