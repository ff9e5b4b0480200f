import { capitalize } from '#shared/capitalize.ts'
import { hasTrash, recordTypes, type RecordType } from '#shared/records.ts'
import { notFound } from '#server/http/errors.ts'
import type { AfterBulk, RecordKind } from '#server/record/rows.ts'

/** Record types that the features have registered. */
export class RecordKinds {
  readonly #kinds = new Map<string, RecordKind>()
  readonly #afterBulk = new Map<string, AfterBulk>()

  /** Registers a record type; each feature calls this once per type. */
  register(kind: RecordKind): void {
    if (this.#kinds.has(kind.type)) throw new Error(`The record type ${kind.type} is registered twice`)
    this.#kinds.set(kind.type, kind)
  }

  /**
   * Returns the record kind for a type.
   * @throws HttpError 404 for a type that no feature has registered.
   */
  get = (type: string): RecordKind => {
    const kind = this.#kinds.get(type)
    if (!kind) throw notFound('This page doesn’t exist.')
    return kind
  }

  /**
   * Returns the record kind for a type whose records can be moved to the trash.
   * @throws HttpError 404 for any other type.
   */
  withTrash = (type: RecordType): RecordKind => {
    const kind = this.get(type)
    if (!hasTrash(type))
      throw notFound(
        `${capitalize(recordTypes[type].many)} can’t be moved to the trash. ${kind.trash?.instead ?? ''}`,
      )
    return kind
  }

  /**
   * Registers what follows a bulk change that continued in the background. Its endpoint does the same for a
   * change that ends with the request.
   */
  onBulkChange(type: RecordType, handler: AfterBulk): void {
    this.#afterBulk.set(type, handler)
  }

  afterBulk = (type: string): AfterBulk | undefined => this.#afterBulk.get(type)

  all = (): RecordKind[] => [...this.#kinds.values()]
}
