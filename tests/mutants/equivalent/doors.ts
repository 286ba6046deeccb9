import type { Equivalents } from '../equivalents.ts'

export const doors: readonly Equivalents[] = [
  {
    file: 'src/core/admission/session-callers.ts',
    why: 'It is only how soon the time is durable.',
    changes: [
      {
        line: 'store.sessions.update({ id: entry.caller.keyId }, change, { lazy: true }).catch(() => undefined)',
        was: '{ lazy: true }',
        becomes: '{}',
      },
      {
        line: 'store.sessions.update({ id: entry.caller.keyId }, change, { lazy: true }).catch(() => undefined)',
        was: 'true',
        becomes: 'false',
      },
    ],
  },
  {
    file: 'src/core/admission/credential-callers.ts',
    why: 'It is only how soon the time is durable.',
    changes: [
      {
        line: 'store.api_keys.update({ id: caller.keyId }, change, { lazy: true }).catch(() => undefined)',
        was: '{ lazy: true }',
        becomes: '{}',
      },
      {
        line: 'store.api_keys.update({ id: caller.keyId }, change, { lazy: true }).catch(() => undefined)',
        was: 'true',
        becomes: 'false',
      },
    ],
  },
  {
    file: 'src/core/admission/session-callers.ts',
    why: 'A text is no session either: nothing in it says that it has not ended.',
    changes: [
      {
        line: "const [session] = isToken(token, 'abs') ? await store.sessions.find({ hash }, { limit: 1 }) : []",
        was: '[]',
        becomes: '["Stryker was here"]',
      },
    ],
  },
  {
    file: 'protocol/mcp/short-path.ts',
    why: 'A tool is found by a text alone, and what is of the present era has its envelope.',
    changes: [
      {
        line: "if (typeof name !== 'string' || (input !== undefined && !isObject(input))) return undefined",
        was: "typeof name !== 'string'",
        becomes: 'false',
      },
      {
        line: "const isLeft = mayWait(operation) && (era === 'legacy' || meta?.['progressToken'] !== undefined)",
        was: "meta?.['progressToken']",
        becomes: "meta['progressToken']",
      },
    ],
  },
  {
    file: 'protocol/mcp/short-form.ts',
    why: 'What is of the present era has its envelope, and no media type is called so.',
    changes: [
      {
        line: 'meta?.[PROTOCOL_VERSION_META_KEY] === modernRevision &&',
        was: 'meta?.[PROTOCOL_VERSION_META_KEY]',
        becomes: 'meta[PROTOCOL_VERSION_META_KEY]',
      },
      {
        line: "const { 'mcp-protocol-version': revision, accept = '' } = headers",
        was: "''",
        becomes: '"Stryker was here!"',
      },
    ],
  },
  {
    file: 'protocol/mcp/short-form.ts',
    why: 'The SDK, which is asked as well, refuses the same: what is checked twice is told once.',
    changes: [
      {
        line: "return typeof id === 'string' || Number.isSafeInteger(id)",
        was: "typeof id === 'string' || Number.isSafeInteger(id)",
        becomes: 'true',
      },
      {
        line: "if (key === 'progressToken' && !isId(meta[key])) return false",
        was: "key === 'progressToken' && !isId(meta[key])",
        becomes: 'false',
      },
      {
        line: "if (key === 'progressToken' && !isId(meta[key])) return false",
        was: "'progressToken'",
        becomes: '""',
      },
      {
        line: "if (key === 'progressToken' && !isId(meta[key])) return false",
        was: 'false',
        becomes: 'true',
      },
      {
        line: "if (jsonrpc !== '2.0' || !isId(id) || !isObject(params) || !isEmpty(others)) return undefined",
        was: "jsonrpc !== '2.0' || !isId(id)",
        becomes: 'false',
      },
      {
        line: "if (jsonrpc !== '2.0' || !isId(id) || !isObject(params) || !isEmpty(others)) return undefined",
        was: "jsonrpc !== '2.0' || !isId(id)",
        becomes: "jsonrpc !== '2.0' && !isId(id)",
      },
      {
        line: "if (jsonrpc !== '2.0' || !isId(id) || !isObject(params) || !isEmpty(others)) return undefined",
        was: "jsonrpc !== '2.0'",
        becomes: 'false',
      },
      {
        line: 'meta?.[PROTOCOL_VERSION_META_KEY] === modernRevision &&',
        was: 'meta?.[PROTOCOL_VERSION_META_KEY] === modernRevision',
        becomes: 'true',
      },
      {
        line: "mcpMethodHeader: headers['mcp-method'],",
        was: "'mcp-method'",
        becomes: '""',
      },
      {
        line: "protocolVersionHeader: headers['mcp-protocol-version'],",
        was: "'mcp-protocol-version'",
        becomes: '""',
      },
      { line: "mcpNameHeader: headers['mcp-name'],", was: "'mcp-name'", becomes: '""' },
    ],
  },
  {
    file: 'protocol/mcp/short-form.ts',
    why: 'The message is known to be a request, and no handshake: the SDK has no other word for it.',
    changes: [
      {
        line: "if (outcome.kind === 'modern') return outcome.messageKind === 'request' ? 'modern' : undefined",
        was: "outcome.messageKind === 'request'",
        becomes: 'true',
      },
      {
        line: "return outcome.kind === 'legacy' && outcome.reason === 'no-claim' ? 'legacy' : undefined",
        was: "outcome.kind === 'legacy' && outcome.reason === 'no-claim'",
        becomes: "outcome.kind === 'legacy' || outcome.reason === 'no-claim'",
      },
      {
        line: "return outcome.kind === 'legacy' && outcome.reason === 'no-claim' ? 'legacy' : undefined",
        was: "outcome.kind === 'legacy'",
        becomes: 'true',
      },
      {
        line: "return outcome.kind === 'legacy' && outcome.reason === 'no-claim' ? 'legacy' : undefined",
        was: "outcome.reason === 'no-claim'",
        becomes: 'true',
      },
      {
        line: "return outcome.kind === 'legacy' && outcome.reason === 'no-claim' ? 'legacy' : undefined",
        was: "outcome.kind === 'legacy' && outcome.reason === 'no-claim'",
        becomes: 'true',
      },
    ],
  },
]
