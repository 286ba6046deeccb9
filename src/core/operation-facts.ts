import type * as z from 'zod'
import type { TrustLevel } from './admission/caller.ts'
import type { LimitName } from './admission/limits.ts'
import type { SignUp } from './admission/sign-up-mode.ts'
import type { QuotaName } from './counts/quotas.ts'
import type { Code } from './errors.ts'
import type { TokenPrefix } from './ids.ts'
import type { Proposal, Role } from './roles.ts'

/**
 * Who may call: anybody, a key of an account or a person who is signed in, who writes in the Commons (a
 * handle or a scoped key), or such a person alone.
 */
export type Auth = 'none' | 'key' | 'commons' | 'person'

/** The methods of REST that operations use. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Bytes of a body where an operation does not say otherwise. */
export const bodyBytesAtMost = 2 ** 20

/** Bytes of a body whose sender is nobody who is known, and signs nothing. */
export const nobodysBytesAtMost = 2 ** 16

/** The groups of tools that an MCP client may ask for by name; `core` is what LLM hosts are handed. */
export const toolsets = [
  'core',
  'account',
  'agents',
  'apps',
  'tasks',
  'runs',
  'messages',
  'commons',
  'knowledge',
  'feed',
  'payments',
] as const
/** The name of a group of tools. */
export type Toolset = (typeof toolsets)[number]

/** Where an operation is on REST. */
export interface Http {
  method: Method
  /** As documented; path members in braces are members of the input. */
  path: string
  /** Other paths of the same operation, narrowed by their path members. */
  also?: readonly string[]
  /** The last member of the path takes all that is left of an address, slashes included. */
  tail?: true
  /** Status of success; by default 200. */
  status?: 200 | 201 | 202
  /** It may also accept work for later: 202. */
  mayAccept?: true
  /** It may also only show what it would do: 200, whatever its status of success is. */
  mayPreview?: true
  /** Members of the input that stand in headers of these names: the first of them that was sent. */
  headers?: Readonly<Record<string, string | readonly string[]>>
  /** A member of the input that may stand in `Authorization`, told from a key by what it begins with. */
  bearer?: { member: string; prefix: TokenPrefix }
  /** The document is whatever was sent, any JSON or a text, and the operation is given its bytes too. */
  raw?: true
}

/**
 * What is known of an operation without running it: documents and listings are made of it.
 * `name` is the A2A method, its path under `src/operations`, and with `_` for `.` the MCP tool.
 */
export interface OperationFacts<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodObject = z.ZodObject,
  A extends Auth = Auth,
> {
  readonly name: string
  /** One sentence in the imperative: what it does. */
  readonly summary: string
  /** What a caller needs to know beside that: rules, effects, what to do next. */
  readonly description?: string
  /** An input that works, or would with the ids of the reader's own; shown in tool texts and documents. */
  readonly example: z.input<I>
  readonly auth: A
  /** `agent`: a key scoped to an agent may call it too, for its own agent. */
  readonly scope?: 'agent'
  /** The trust level that a writer in the Commons needs, unless the operator changes it; by default 0. */
  readonly trust?: TrustLevel
  readonly http: Http
  readonly toolsets: readonly Toolset[]
  /** It makes sense over HTTP alone: no tool and no method of the doors of agents. */
  readonly restOnly?: true
  /**
   * Only the doors of hosted agents call it, in the words of their protocol: no address of REST, no tool and
   * no method leads to it, and no document lists it. Its `http` says how it is counted, not where it is.
   */
  readonly internal?: true
  /** What doors use it for beside offering it; no other operation has the same role. */
  readonly role?: Role
  /** Of a list: doors propose values for a member of inputs by what it answers the caller. */
  readonly proposes?: Proposal
  readonly input: I
  /** On REST the whole body is this member of the input. */
  readonly document?: keyof z.input<I> & string
  /**
   * The member of the input that is a file, or a list of up to so many: `File` of upload.ts. On REST a
   * form may bring them as parts of that name, the members beside them as its fields.
   */
  readonly files?: { member: keyof z.input<I> & string; most: number }
  /** Largest body in bytes, and most characters of its texts on any door; by default 1 MB. */
  readonly bodyBytes?: number
  /**
   * The member that pays: a call with it is another than the same one without, so that both may be
   * made under one idempotency key.
   */
  readonly pays?: keyof z.input<I> & string
  /** Texts are normalised to NFC unless the document is kept exactly as sent. */
  readonly verbatim?: true
  readonly output: O
  /** Codes of its own, beside those that any operation may answer. */
  readonly refuses: readonly Code[]
  /** The rate limit that counts it; by default reads or writes. */
  readonly limits?: readonly LimitName[]
  /** The quota that must have room before it runs. */
  readonly quota?: QuotaName
  /** The answer holds a secret: its kept copy is sealed, and no cache may keep it. */
  readonly secret?: true
  /**
   * It ends the token that calls it: its idempotency keys belong to that token, which still gets the
   * kept answer by them, and nothing else.
   */
  readonly endsToken?: true
  /**
   * No answer of it is kept for a retry: what a browser is given with it is told once. Where anybody may
   * call it, it begins a session, and no other credential than the session that it replaces counts.
   */
  readonly unkept?: true
  /** It gives an account or a handle to whoever comes: how this server takes newcomers. */
  readonly signUp?: SignUp
  /** The answer holds text that others wrote: whoever reads it must not take it for instructions. */
  readonly untrusted?: true
  /** It is done for everybody, also while the store has little room left. */
  readonly inNeed?: true
  /** It changes nothing although its method is POST. */
  readonly reads?: true
  /** A read that notes what it has shown, so that it is none that changes nothing. */
  readonly marks?: true
  /** Whether it may end what cannot be made again: clients may want to ask first. By default a DELETE does. */
  readonly destructive?: boolean
  /** Whether doing it again changes nothing more. By default all but a POST is so. */
  readonly repeatable?: boolean
  /** It speaks to services or addresses outside, or sets going what does. */
  readonly reachesOut?: true
  /** It can give events while they happen too. */
  readonly follow?: unknown
}

/** Whether it is called for its answer: it is limited as a read, and needs no room. */
export function isRead(op: Pick<OperationFacts, 'http' | 'reads'>): boolean {
  return op.http.method === 'GET' || op.reads === true
}

/** Whether calling it twice changes no more than calling it not at all. */
export function changesNothing(op: Pick<OperationFacts, 'http' | 'reads' | 'marks'>): boolean {
  return isRead(op) && op.marks !== true
}

/** Whether whoever calls it is signed in from then on. */
export function beginsSession(op: Pick<OperationFacts, 'auth' | 'unkept'>): boolean {
  return op.unkept === true && op.auth === 'none'
}

/** Whether its input may come as a body. */
export function takesBody({ method }: Pick<Http, 'method'>): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH'
}

/** Whose credential it takes, in one word for documents. */
export function whoCalls(
  op: Pick<OperationFacts, 'auth' | 'scope'>,
): 'none' | 'key' | 'agent_key' | 'commons' | 'person' {
  if (op.auth !== 'key') return op.auth
  return op.scope === 'agent' ? 'agent_key' : 'key'
}

/** Whether it belongs to the Commons, which has doors, codes, an envelope and a toolset of its own. */
export function isOfCommons(op: Pick<OperationFacts, 'toolsets'>): boolean {
  return op.toolsets.includes('commons')
}

/** The operations that the doors of agents offer: all but those of REST alone. */
export function offered<O extends OperationFacts>(catalog: readonly O[]): readonly O[] {
  return catalog.filter((op) => !op.restOnly)
}

/** The groups of tools that a server with this catalog speaks of. */
export function toolsetsOf(catalog: readonly OperationFacts[]): readonly Toolset[] {
  return hasCommons(catalog) ? toolsets : toolsets.filter((name) => name !== 'commons')
}

/** Whether there is a Commons in a catalog. */
export function hasCommons(catalog: readonly OperationFacts[]): boolean {
  return catalog.some(isOfCommons)
}

/** The name of its MCP tool. */
export function toolName(op: Pick<OperationFacts, 'name'>): string {
  return op.name.replaceAll('.', '_')
}
