import type { ReactNode } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { leadColumnValues, type MoreField, type MoreOfLead } from '#features/crm/leads/columns.contract.ts'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import type { Column, TableColumns } from '#web/list/columns.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { Soft } from '#web/parts/Soft.tsx'

/** A row of the list with the further fields that its columns show, once they are loaded. */
export type WideRow = LeadRow & Partial<MoreOfLead>

/** Fields that the rows of the list don’t have, by the column that shows them. */
const askedBy: Readonly<Record<string, MoreField>> = {
  contact_role: 'contact_role',
  timezone: 'timezone',
  reject_reason_id: 'reject_reason',
  implementation: 'implement_date',
  goods: 'cog_types',
  additional_info: 'additional_info',
  answer: 'answer',
  join: 'join',
  reference: 'reference',
  other_contacts: 'other_contacts',
  organization_id: 'organization_name',
  website_up: 'website_up',
  created_at: 'created_at',
  created_by: 'created_by_name',
  updated_at: 'updated_at',
  last_activity: 'last_activity',
}

const fieldOf = ({ id }: Pick<Column<never>, 'id'>): MoreField | undefined =>
  id.startsWith(detailPrefix) ? 'details' : askedBy[id]

/** Returns whether a column shows a field that the rows of the list don’t have. */
export const isMore = (column: Pick<Column<never>, 'id'>): boolean => fieldOf(column) !== undefined

const detailPrefix = 'detail_'

/** Returns the columns of imported details, in the order of the alphabet. */
export const detailColumns = (labels: readonly string[]): Column<WideRow>[] =>
  [...new Set(labels)]
    .toSorted((one, other) => one.localeCompare(other))
    .map((label) => {
      const text = ({ details }: WideRow) => details?.find((one) => one.label === label)?.value ?? ''
      return {
        id: detailPrefix + label,
        header: label,
        cell: text,
        title: text,
        width: 150,
        hiddenAtFirst: true,
        isCustom: true,
      }
    })

/** Returns the list with the further fields of the columns that are shown in its rows, and why they can’t be. */
export function useWideList<List extends ShownList>(list: List): { list: List; failed: ReactNode } {
  const {
    rows,
    columns: { shown },
  } = list
  const fields = [...new Set(shown.flatMap((column) => fieldOf(column) ?? []))].toSorted()
  const ids = (rows ?? []).map(({ lead_id }) => lead_id)
  const isAsked = fields.length > 0 && ids.length > 0
  const asked = queryOptionsFor(leadColumnValues.list, { query: { ids, fields } })
  const { data, isError, refetch } = useQuery({
    ...asked,
    enabled: () => isAsked && asked.enabled(),
    placeholderData: keepPreviousData,
  })
  const failed = isAsked && isError && (
    <Soft role="alert">
      Some columns couldn’t be loaded. <LinkButton onClick={() => void refetch()}>Retry</LinkButton>
    </Soft>
  )
  if (!isAsked || !data) return { list, failed }
  const more = new Map(data.data.map((one) => [one.lead_id, one]))
  return { list: { ...list, rows: rows?.map((row) => ({ ...row, ...more.get(row.lead_id) })) }, failed }
}

interface ShownList {
  rows: readonly LeadRow[] | undefined
  columns: Pick<TableColumns<LeadRow>, 'shown'>
}
