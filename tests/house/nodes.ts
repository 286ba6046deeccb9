import { parseAst } from 'vitest/node'
import { read } from './tree.ts'

/** What the parser gives of a piece of code. */
export type Node = Readonly<Record<string, unknown>>

/** Shows every node of a file. */
export function visitNodes(path: string, look: (node: Node) => void): void {
  visit(parseAst(read(path), { lang: 'ts' }), look)
}

/** Shows a node and all that is in it, from the outside in. */
export function visit(value: unknown, look: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, look)
  } else if (typeof value === 'object' && value !== null && !(value instanceof RegExp)) {
    look(value as Node)
    for (const member of Object.values(value)) visit(member, look)
  }
}
