import { sql } from 'kysely'
import { rejectedStatus } from '#features/crm/leads/rules.ts'
import type { App } from '#server/app.ts'
import { usedIn, type OptionList } from '#server/record/option-lists.ts'

/** Registers the option lists of leads. */
export function registerLeadLists({ optionLists }: App): void {
  for (const [name, list] of Object.entries(lists)) optionLists.register(name, list)
}

const usedBy: OptionList['usedBy'] = ['lead uses', 'leads use']
const lists: Readonly<Record<string, OptionList>> = {
  statuses: {
    table: 'lead_statuses',
    key: 'id',
    toned: true,
    isPipeline: true,
    fixed: { '1': 'New leads start with this status.', [rejectedStatus]: 'Rejected leads get this status.' },
    used: usedIn('leads', 'status'),
    usedBy,
  },
  colors: {
    table: 'lead_colors',
    key: 'id',
    toned: true,
    fixed: { '0': 'New leads start with this priority.' },
    used: usedIn('leads', 'color'),
    usedBy,
  },
  reject_reasons: {
    table: 'lead_reject_reasons',
    key: 'id',
    used: usedIn('leads', 'reject_reason_id'),
    usedBy,
  },
  services: { table: 'lead_services', key: 'name', used: usedIn('leads', 'services', 'name'), usedBy },
  sources: { table: 'lead_sources', key: 'name', used: usedIn('leads', 'hear_about', 'name'), usedBy },
  cog_types: {
    table: 'lead_cog_types',
    key: 'name',
    used: (key) => sql`select count(*) as count from leads where cog_types @> array[${key}]`,
    usedBy,
    cascadeRename: (from, to) =>
      sql`update leads set cog_types = array_replace(cog_types, ${from}, ${to}) where cog_types @> array[${from}]`,
  },
  tags: { table: 'lead_tags', key: 'id', used: usedIn('lead_tag_links', 'tag_id'), usedBy },
  session_types: {
    table: 'session_types',
    key: 'name',
    used: usedIn('lead_demos', 'type', 'name'),
    usedBy: ['session uses', 'sessions use'],
  },
  questions: {
    table: 'prospection_questions',
    key: 'id',
    used: usedIn('lead_prospection_answers', 'question_id'),
    usedBy: ['lead has answered', 'leads have answered'],
  },
}
