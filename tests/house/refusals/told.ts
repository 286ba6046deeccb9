import { parseAst } from 'vitest/node'
import { visit } from '../nodes.ts'

/** Shorter texts are made of so few words that two refusals may well have the same ones. */
const charactersAtLeast = 20

/** Members and constants whose text a caller reads in a refusal. */
const worded = new Set(['message', 'hint', 'error'])
/** Says when a code is answered, in the reference of codes. */
const inReference = 'means'
/** Mistakes of a programmer, which no caller is told of. */
const internal = new Set(['Error', 'TypeError', 'RangeError', 'SyntaxError'])

/** A text of the sources, with `${…}` for what is filled in. */
export interface Told {
  text: string
  /** The path and the line. */
  place: string
  /** Whether a caller is refused with it here. */
  refuses: boolean
}

/** A file and what it holds. */
interface Source {
  path: string
  text: string
}

/** What the parser gives of the parts of code that are of interest here. */
interface Part {
  type?: string
  start?: number
  name?: string
  value?: unknown
  operator?: string
  computed?: boolean
  key?: Part
  id?: Part | null
  init?: Part | null
  callee?: Part
  arguments?: readonly Part[]
  left?: Part
  right?: Part
  consequent?: Part
  alternate?: Part
  quasis?: readonly { value: { cooked?: string | null } }[]
  returnType?: { typeAnnotation?: { type?: string; typeName?: Part } } | null
}

/** Every text in these files that is long enough, in the order of the files. */
export function told(sources: readonly Source[]): Told[] {
  // A tree of the parser, looked at by the members that are named above.
  const trees = sources.map(({ path, text }) => ({
    path,
    text,
    tree: parseAst(text, { lang: 'ts' }) as unknown,
  }))
  const refusers = new Set(['refuse', ...trees.flatMap(({ tree }) => refusersIn(tree))])
  return trees.flatMap(({ path, text, tree }) =>
    [...textsIn(tree, refusers)].map(([start, one]) => ({
      ...one,
      place: `${path}:${text.slice(0, start).split('\n').length}`,
    })),
  )
}

/** The functions of a file that return nothing, or what is thrown to a caller. */
function refusersIn(tree: unknown): string[] {
  const found: string[] = []
  visit(tree, (node) => {
    const { type, id, returnType } = node as Part
    if (type !== 'FunctionDeclaration' || !id?.name) return
    const { type: kind, typeName } = returnType?.typeAnnotation ?? {}
    if (kind === 'TSNeverKeyword' || isThrown(typeName?.name)) found.push(id.name)
  })
  return found
}

/** Whether a class is one of what is thrown to a caller, by its name. */
function isThrown(name = ''): boolean {
  return !internal.has(name) && /(?:Refusal|Fault|Failure|Params|Error)$/.test(name)
}

/** The texts of a file by where they begin. */
function textsIn(
  tree: unknown,
  refusers: ReadonlySet<string>,
): Map<number, Pick<Told, 'text' | 'refuses'>> {
  const found = new Map<number, Pick<Told, 'text' | 'refuses'>>()
  // What is outside comes first, so that a part of what was read already is not read by itself.
  const done = new Set<unknown>()
  const take = (part: Part, refuses: boolean): void => {
    if (done.has(part)) return
    const text = textOf(part)
    if (text === undefined) return
    visit(part, (inner) => done.add(inner))
    if (part.start === undefined || text.length < charactersAtLeast || !text.includes(' ')) return
    found.set(part.start, { text, refuses })
  }
  visit(tree, (node) => {
    const part = node as Part
    if (part.type === 'Property' && part.key?.name === inReference) done.add(part.value)
    for (const value of refusedWith(part, refusers)) {
      for (const branch of branchesOf(value)) take(branch, true)
    }
    take(part, false)
  })
  return found
}

/** What stands where a caller is refused. */
function refusedWith(part: Part, refusers: ReadonlySet<string>): readonly Part[] {
  const { type, key, id, callee, arguments: given = [] } = part
  if (type === 'Property' && worded.has(key?.name ?? '')) return [part.value as Part]
  if (type === 'VariableDeclarator' && part.init && worded.has(id?.name ?? '')) return [part.init]
  if (type === 'CallExpression' && refusers.has(callee?.name ?? '')) return given
  return type === 'NewExpression' && isThrown(callee?.name) ? given : []
}

/** A value, or those between which it chooses. */
function branchesOf(value: Part): readonly Part[] {
  const { type, left, right, consequent, alternate } = value
  if (type === 'LogicalExpression' && left && right) {
    return [left, right].flatMap(branchesOf)
  }
  if (type === 'ConditionalExpression' && consequent && alternate) {
    return [consequent, alternate].flatMap(branchesOf)
  }
  return [value]
}

/** The text that a part of code is, also one in several pieces; undefined for anything else. */
function textOf({ type, value, quasis, operator, left, right }: Part): string | undefined {
  if (type === 'Literal') return typeof value === 'string' ? value : undefined
  if (type === 'TemplateLiteral') {
    return quasis?.map((piece) => piece.value.cooked ?? '').join('${…}')
  }
  if (type !== 'BinaryExpression' || operator !== '+' || !left || !right) return undefined
  const [before, after] = [textOf(left), textOf(right)]
  if (before === undefined && after === undefined) return undefined
  return (before ?? '${…}') + (after ?? '${…}')
}
