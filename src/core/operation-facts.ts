import type * as z from 'zod'
import type { TrustLevel } from './admission/caller.ts'
import type { LimitName } from './admission/limits.ts'
import type { SignUp } from './admission/sign-up-mode.ts'
import type { QuotaName } from './counts/quota-table.ts'
import type { Code } from './errors.ts'
import type { TokenPrefix } from './ids.ts'
import type { Proposal, Role } from './roles.ts'
import type { ViewName } from './html/view-names.ts'
import type { Slim } from './input/slim.ts'
import type { OauthScope } from './authorization/scopes.ts'

/**
 * Who may call: anyone, a key of an account or a signed-in person, a member who writes in the Commons (a
 * handle, a scoped key, or a key of an account that names an agent), or a signed-in person only.
 */
export type Auth = 'none' | 'key' | 'commons' | 'person'

/** The REST methods of operations. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Bytes of a body if an operation does not set its own limit. */
export const bodyBytesAtMost = 2 ** 20

/** Bytes of a body from a caller without a credential and without a signature. */
export const anonymousBytesAtMost = 2 ** 16

/** The groups of tools that an MCP client may ask for by name; LLM hosts are given `core`. */
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

/** What a member of another name says, in members of the input; undefined where it says nothing that is certain. */
export type Saying = (value: unknown) => Readonly<Record<string, unknown>> | undefined

/** The place of an operation on REST. */
export interface Http {
  method: Method
  /** The documented path; path members in braces are members of the input. */
  path: string
  /** Other paths of the same operation, restricted by their path members. */
  also?: readonly string[]
  /** The last member of the path takes the rest of an address, slashes included. */
  tail?: true
  /** Status of success; by default 200. */
  status?: 200 | 201 | 202
  /** It may also accept work for later: 202. */
  mayAccept?: true
  /** It may also only show what it would do: 200, even if its status of success is another. */
  mayPreview?: true
  /** Members of the input that come in these headers; of several, the first one sent counts. */
  headers?: Readonly<Record<string, string | readonly string[]>>
  /** Those of them that sign the body: who sends one that fits has more room. */
  signatures?: readonly string[]
  /** A member of the input that may come in `Authorization`, told from a key by its prefix. */
  bearer?: { member: string; prefix: TokenPrefix }
  /** The document is any JSON or text that was sent; the operation gets its bytes too. */
  raw?: true
  /** Who asks adds to the query what they like, and nothing of it is looked at. */
  anyQuery?: true
}

/**
 * What is known of an operation without running it; documents and listings are built from it. `name` is the
 * A2A method, its path under `src/operations`, and with `_` for `.` the MCP tool.
 */
export interface OperationFacts<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodObject = z.ZodObject,
  A extends Auth = Auth,
> {
  readonly name: string
  /** One sentence in the imperative: what it does. */
  readonly summary: string
  /** What else a caller needs to know: rules, effects, what to do next. */
  readonly description?: string
  /**
   * When to use it and what comes next, in a sentence or two: the list of tools that hosts of language models
   * are given says this in place of the description.
   */
  readonly use?: string
  /**
   * Short names by which callers look for it who do not know its own, in plain words: `make public`. No document
   * shows them.
   */
  readonly aliases?: readonly string[]
  /**
   * Members that callers write by other names, each with what it says in the members of the input. They are read where
   * no other one says the same; no document shows them.
   */
  readonly understands?: Readonly<Record<string, Saying>>
  /** An input that works, or would with the reader's own ids; shown in tool texts and documents. */
  readonly example: z.input<I>
  /** The operation whose answer gives what this one has to be sent: it is told who lacks that. */
  readonly first?: string
  readonly auth: A
  /** `agent`: a key scoped to an agent may call it too, for that agent. */
  readonly scope?: 'agent'
  /**
   * The scope that a connected program needs for it, where that is not `read` for a read and `write` for what
   * changes something.
   */
  readonly oauthScope?: OauthScope
  /** It is the person's own affair, whichever account they act for: what they are there does not matter. */
  readonly ofPerson?: true
  /** The trust level that a writer in the Commons needs; the operator may change it; by default 0. */
  readonly trust?: TrustLevel
  readonly http: Http
  readonly toolsets: readonly Toolset[]
  /** It makes sense over HTTP only: the doors of agents offer no tool and no method for it. */
  readonly restOnly?: true
  /**
   * Only doors call it, for what their protocols say, or a page of persons: it has no REST address, tool or
   * method, and no document lists it. Its `http` says how it is counted, not where it is.
   */
  readonly internal?: true
  /** A special use that doors have for it, in addition to offering it; each role has one operation. */
  readonly role?: Role
  /** A list that REST answers as JSON lines too, one item each, where `Accept` names application/x-ndjson. */
  readonly lines?: true
  /** What shows its answer to people, where something can. */
  readonly view?: ViewName
  /** For a list: doors suggest values for an input member from the items that it answers the caller. */
  readonly proposes?: Proposal
  readonly input: I
  /** On REST the whole body is this member of the input. */
  readonly document?: keyof z.input<I> & string
  /**
   * The member of the input that is a file, or a list of up to so many: `File` of upload.ts. A REST form may
   * bring them as parts of that name, and the other members as its fields.
   */
  readonly files?: { member: keyof z.input<I> & string; most: number }
  /** Largest body in bytes, and most characters of its texts on any door; by default 1 MB. */
  readonly bodyBytes?: number
  /**
   * The member that pays: a call with it differs from the same call without it, so both may use one
   * idempotency key.
   */
  readonly pays?: keyof z.input<I> & string
  /** Texts are normalised to NFC unless the document is kept exactly as sent. */
  readonly verbatim?: true
  readonly output: O
  /** Its own codes, in addition to those that any operation may answer. */
  readonly refuses: readonly Code[]
  /** The rate limit that counts it; by default reads or writes. */
  readonly limits?: readonly LimitName[]
  /** The quota that must have room before it runs. */
  readonly quota?: QuotaName
  /** The answer contains a secret: its kept copy is sealed, and no cache may keep it. */
  readonly secret?: true
  /**
   * It ends the token that calls it: its idempotency keys belong to that token, which may still fetch the
   * kept answer with them, but do nothing else.
   */
  readonly endsToken?: true
  /**
   * No answer of it is kept for a retry: the browser is given its session token only once. If anyone may call
   * it, it begins a session, and the only credential that counts is the session that it replaces.
   */
  readonly unkept?: true
  /** It gives an account or a handle to newcomers: how this server admits them. */
  readonly signUp?: SignUp
  /** Who is invited into an account is admitted, wherever sign-up stands. */
  readonly admitsInvited?: true
  /** The answer contains text written by others: readers must not take it for instructions. */
  readonly untrusted?: true
  /** The members of its answer that are instructions for its caller; all else in it is not. */
  readonly instructs?: readonly string[]
  /**
   * Members of its answer, besides warnings and findings, in which the service says what to call: a text, or objects
   * with a `message` or a `why`, or with an `operation` and its input. They leave in the words of the door.
   */
  readonly says?: readonly (keyof z.input<O> & string)[]
  /**
   * It gives agents something to know that is read after its answer: all that it was sent, or each part of that which
   * is not refused.
   */
  readonly learns?: 'all' | 'each'
  /** Its answer is for a model to read: over MCP it is given once, as text, and no schema of it is listed. */
  readonly asText?: true
  /** It is allowed for every caller, also while the store has little room left. */
  readonly inNeed?: true
  /** It changes nothing although its method is POST. */
  readonly reads?: true
  /** A read that records what it has shown, so that it does change something. */
  readonly marks?: true
  /** Whether it may end what cannot be restored: clients may want to ask first. By default true for DELETE. */
  readonly destructive?: boolean
  /** Whether repeating it changes nothing more. By default true for all but POST. */
  readonly repeatable?: boolean
  /** It calls outside services or addresses, or starts something that does. */
  readonly reachesOut?: true
  /** Its answer may be large, so a caller may ask for a part of it: `view` and `fields` are members of its input. */
  readonly slim?: Slim
  /** It can also give events as they happen. */
  readonly follow?: unknown
  /** It also answers calls without a credential, where what they ask for is open to everybody. */
  readonly keyless?: unknown
}

/** Whether it is called for its answer: it is limited as a read, and needs no room. */
export function isRead(op: Pick<OperationFacts, 'http' | 'reads'>): boolean {
  return op.http.method === 'GET' || op.reads === true
}

/** The scope that a connected program needs to call an operation: each belongs to exactly one. */
export function scopeOf(op: Pick<OperationFacts, 'oauthScope' | 'http' | 'reads'>): OauthScope {
  return op.oauthScope ?? (isRead(op) ? 'read' : 'write')
}

/** Whether a call changes nothing at all. */
export function changesNothing(op: Pick<OperationFacts, 'http' | 'reads' | 'marks'>): boolean {
  return isRead(op) && op.marks !== true
}

/** Whether its caller is signed in afterwards. */
export function beginsSession(op: Pick<OperationFacts, 'auth' | 'unkept'>): boolean {
  return op.unkept === true && op.auth === 'none'
}

/** Whether its input may come in a body. */
export function takesBody({ method }: Pick<Http, 'method'>): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH'
}

/** Whether a body that is sent is read: also that of a read or a delete, unless its address takes any query. */
export function readsBody(http: Pick<Http, 'method' | 'anyQuery'>): boolean {
  return takesBody(http) || http.anyQuery !== true
}

/** Whose credential it takes, in one word for documents. */
export function whoCalls(
  op: Pick<OperationFacts, 'auth' | 'scope' | 'keyless'>,
): 'none' | 'key' | 'agent_key' | 'any_or_key' | 'commons' | 'person' {
  if (op.auth !== 'key') return op.auth
  if (op.keyless !== undefined) return 'any_or_key'
  return op.scope === 'agent' ? 'agent_key' : 'key'
}

/** Whether the key of an account may name the agent that it calls for: one's own token is no agent's. */
export function takesAgent(op: Pick<OperationFacts, 'auth' | 'endsToken'>): boolean {
  return op.auth === 'commons' && !op.endsToken
}

/** Whether it belongs to the Commons, which has its own doors, codes, envelope and toolset. */
export function isOfCommons(op: Pick<OperationFacts, 'toolsets'>): boolean {
  return op.toolsets.includes('commons')
}

/** The operations that the doors of agents offer: all but the REST-only ones. */
export function offered<O extends OperationFacts>(catalog: readonly O[]): readonly O[] {
  return catalog.filter((op) => !op.restOnly)
}

/** The tool groups of a server with this catalog. */
export function toolsetsOf(catalog: readonly OperationFacts[]): readonly Toolset[] {
  return hasCommons(catalog) ? toolsets : toolsets.filter((name) => name !== 'commons')
}

/** Whether a catalog has a Commons. */
export function hasCommons(catalog: readonly OperationFacts[]): boolean {
  return catalog.some(isOfCommons)
}

/** The name of its MCP tool. */
export function toolName(op: Pick<OperationFacts, 'name'>): string {
  return op.name.replaceAll('.', '_')
}
