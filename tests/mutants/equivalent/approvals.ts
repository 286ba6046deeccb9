import type { Equivalents } from '../equivalents.ts'

export const approvals: readonly Equivalents[] = [
  {
    file: 'src/runs/approvals/access.ts',
    why: 'Each approver is kept with its account, and so is the fallback agent that was asked.',
    changes: [
      {
        line: "if (!fell_back) return approvers.map((id, i) => ({ id, owner: approver_owners[i] ?? '' }))",
        was: "''",
        becomes: '"Stryker was here!"',
      },
      {
        line: "return [{ id: fallback_agent_id ?? '', owner: fallback_owner_id ?? '' }]",
        was: "''",
        becomes: '"Stryker was here!"',
      },
    ],
  },
  {
    file: 'src/runs/approvals/decide.ts',
    why: 'Null is before no time.',
    changes: [
      {
        line: 'if (approval.expires_at !== null && approval.expires_at <= timestamp(now)) {',
        was: 'approval.expires_at !== null',
        becomes: 'true',
      },
    ],
  },
  {
    file: 'src/runs/approvals/decide.ts',
    why: 'The retry does not read what the error names.',
    changes: [{ line: "throw new Unmet('approvals', 0)", was: "'approvals'", becomes: '""' }],
  },
  {
    file: 'src/runs/approvals/viewer-row.ts',
    why: 'No viewer is called so.',
    changes: [
      {
        line: 'export function seated(approval: StoredApproval, before: readonly string[] = []): Write[] {',
        was: '[]',
        becomes: '["Stryker was here"]',
      },
    ],
  },
]
