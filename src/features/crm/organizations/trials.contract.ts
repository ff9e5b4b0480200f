import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { changedReply } from '#shared/record.contract.ts'
import { emptyIsAbsent, plainDay, recordId, wholeNumber } from '#shared/schemas.ts'
import { Organization } from '#features/crm/organizations/contract.ts'

export const TrialDate = z
  .object({ trial_date: emptyIsAbsent(plainDay), trial_in_days: emptyIsAbsent(wholeNumber(1, 3650)) })
  .refine(({ trial_date, trial_in_days }) => (trial_date === undefined) !== (trial_in_days === undefined), {
    path: ['trial_date'],
    message: 'Enter either a date or a number of days.',
  })

export const trials = {
  startTrial: endpoint({
    method: 'POST',
    path: '/admin/organization/start-trial',
    summary: 'Start an organization’s trial. Returns 409 if a trial is already running.',
    act: 'Started a trial',
    access: 'all_organization_update_status',
    body: z.object({ org_id: recordId }),
    response: changedReply(Organization),
  }),
  updateTrialDate: endpoint({
    method: 'POST',
    path: '/admin/organization/update_trial_date',
    summary:
      'Set a trial’s end date, either as a date or as a number of days from today in the organization’s time zone.',
    act: 'Changed trial end date',
    access: 'all_organization_update_status',
    body: TrialDate.safeExtend({ id: recordId }),
    response: changedReply(Organization),
  }),
}
