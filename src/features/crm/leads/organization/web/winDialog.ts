import { lazyPart } from '#web/shell/lazy.tsx'

/** Asks for the organization of a lead that is won, wherever its status is set; see `LeadOptionsProvider`. */
export const winDialog = lazyPart(() => import('#features/crm/leads/organization/web/WinLead.tsx'))
