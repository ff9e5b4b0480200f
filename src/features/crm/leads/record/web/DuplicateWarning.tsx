import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { entryById, useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import classes from '#features/crm/leads/record/web/leadForm.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { RecordLink } from '#web/record/RecordLink.tsx'

interface Props {
  leadFor: string
  companyName: string
  email: string
  phone: string
  /** ID of the lead being edited, which is excluded from the results. */
  except?: number | undefined
}

const delayMs = 500

/** Non-blocking warning that lists the product's leads with the same name, email address, or phone number. */
export function DuplicateWarning({ leadFor, companyName, email, phone, except }: Props) {
  const { statuses } = useLeadOptions()
  const [asked] = useDebouncedValue(
    JSON.stringify({
      lead_for: Number(leadFor),
      companyName: companyName.trim(),
      email: email.trim(),
      phone: phone.trim(),
      except,
    }),
    delayMs,
  )
  const query = JSON.parse(asked) as {
    lead_for: number
    companyName: string
    email: string
    phone: string
    except?: number
  }
  const known = query.lead_for > 0 && [query.companyName, query.email, query.phone].some((one) => one !== '')
  const { data } = useQuery({
    ...queryOptionsFor(leadOperations.duplicates, { query }),
    ...(known ? {} : { enabled: false }),
    retry: false,
  })
  return (
    <div role="status" className={classes.live}>
      {known && data && data.data.length > 0 && (
        <div className={classes.warning}>
          This looks like {data.data.length === 1 ? 'an existing lead' : 'existing leads'} for this product:
          <ul>
            {data.data.map((lead) => (
              <li key={lead.lead_id}>
                <RecordLink type="lead" id={lead.lead_id} name={lead.companyName} target="_blank" />{' '}
                <span className={classes.byline}>
                  {lead.same === 'companyName' ? '' : `${lead[lead.same] || 'another contact'} · `}
                  {entryById(statuses, lead.status).name}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}
