/** Pure rules for bulk operations, shared by the server and the browser (docs/product.md#bulk-operations). */

/**
 * Bulk changes; `OperationKind` also includes the other operations that can be undone. `edit` sets other fields, and is
 * also the kind of a change to a single lead, in place or in the form.
 */
export type BulkKind = 'status' | 'reject' | 'color' | 'assign' | 'followup' | 'tags' | 'edit' | 'delete'
export type OperationKind = BulkKind | 'restore' | 'merge' | 'import'

/** Reports whether a lead's field value is empty. */
export const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
