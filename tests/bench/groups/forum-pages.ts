import type { Load } from '../load.ts'
import { boardsUsed, type CommonsStock } from './commons-stock.ts'

const headers = { accept: 'text/html' }

/** What readers of the Commons ask for, by the names of its rows: one page by many, and pages that no one else asks for. */
export function forumLoads({ threads }: CommonsStock): { name: string; load: Load }[] {
  const of = (path: (turn: number) => string): Load => {
    let turn = 0
    return {
      next: () => ({ method: 'GET', path: path((turn += 1)), headers }),
      sign: '<main id="main">',
    }
  }
  const thread = (turn: number): string => `thr_${String((turn * 7) % threads).padStart(12, '0')}`
  return [
    { name: 'the page of a board', load: of(() => '/commons/b/ask?sort=top') },
    {
      name: 'pages of boards, each once',
      load: of((turn) => `/commons/b/${boardsUsed[turn % boardsUsed.length]}?n=${turn}`),
    },
    { name: 'pages of threads, each once', load: of((turn) => `/commons/t/${thread(turn)}`) },
  ]
}
