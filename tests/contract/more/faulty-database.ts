import { DatabaseSync, type StatementSync } from 'node:sqlite'

/** A database in memory that fails where a test wants it to. */
export class Faulty extends DatabaseSync {
  /** The transactions that it was asked for. */
  readonly asked: string[] = []
  /** What the next statements of these words throw, one after the other; `undefined` lets one pass. */
  readonly faults: Record<string, (Error | undefined)[]> = {}
  isLocked = false

  /** How many transactions were begun, or tried to. */
  begun(): number {
    return this.asked.filter((sql) => sql.startsWith('BEGIN')).length
  }

  /** The numbers in the table of the test. */
  kept(): unknown[] {
    const rows = super.prepare('SELECT n FROM t ORDER BY n').all()
    return rows.map(({ n }) => n)
  }

  override prepare(sql: string): StatementSync {
    const statement = super.prepare(sql)
    const run = statement.run.bind(statement)
    statement.run = () => {
      this.asked.push(sql)
      if (this.isLocked) throw busy()
      const fault = this.faults[sql]?.shift()
      if (fault) throw fault
      return run()
    }
    return statement
  }
}

/** What SQLite says where another process holds a lock. */
export const busy = (): Error => Object.assign(new Error('locked'), { errcode: 5 })
