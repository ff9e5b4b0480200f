import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  mostTicketRules,
  ticketRules,
  TicketRules,
  triedTickets,
  type StoredTicketRules,
} from '#features/crm/support/ticket-rules.contract.ts'
import classes from '#features/crm/support/web/settings/settings.module.css'
import { SettingsForm, SettingsPage } from '#features/crm/support/web/settings/SettingsForm.tsx'
import { TicketRuleCard } from '#features/crm/support/web/settings/TicketRuleCard.tsx'
import {
  newTicketRule,
  ticketRulesToSend,
  valuesOfTicketRules,
  type TicketRuleValues,
} from '#features/crm/support/web/settings/ticketRuleForm.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { toast } from '#web/message/toast.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const TryRules = lazyPart(() => import('#features/crm/support/web/settings/TryRules.tsx'))

const name = 'ticket rules'

/** The rules that sort new tickets. */
export function TicketRulesPage() {
  const query = useQuery(queryOptionsFor(ticketRules.show))
  return (
    <SettingsPage query={query} may={useMay(ticketRules.show)} name={name}>
      {(stored) => <RulesForm key={stored.version} stored={stored} />}
    </SettingsPage>
  )
}

function RulesForm({ stored }: { stored: StoredTicketRules }) {
  const { send } = useSend(ticketRules.change, { failure: 'throw' })
  const form = useDraftForm<TicketRuleValues>({
    name: 'ticket-rules',
    initial: valuesOfTicketRules(stored),
    schema: TicketRules,
    toSend: ticketRulesToSend,
    onSave: async (values) => {
      const reply = await send({ body: { ...ticketRulesToSend(values), version: stored.version } })
      if (reply) toast.success(reply.message)
    },
  })
  const { fields } = form
  const { rules } = fields.getValues()
  const matchedOf = new Map(stored.rules.map(({ id }, index) => [id, stored.matched[index]]))
  const [tried, setTried] = useState<TicketRuleValues | undefined>()
  return (
    <SettingsForm form={form} name={name} note="Changes apply to tickets that arrive from now on.">
      <Soft as="p">
        Rules apply once to each new ticket, in this order: the first one with a category sets it, as do the
        first ones with a priority and an assignee, and all add their tags. A category that someone chose is
        kept. If the assignee is away or can’t open the ticket, assignment rules apply.
      </Soft>
      {rules.length === 0 && <p>No rules yet. New tickets stay as they are. Add the first rule.</p>}
      {rules.map((rule, index) => (
        <TicketRuleCard
          key={index}
          fields={fields}
          rule={rule}
          people={stored.people}
          index={index}
          matched={matchedOf.get(rule.id)}
        />
      ))}
      <div className={classes.ruleActions}>
        <Button
          variant="default"
          size="xs"
          disabled={rules.length >= mostTicketRules}
          onClick={() => fields.insertListItem('rules', newTicketRule)}
        >
          Add rule
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={rules.length === 0}
          onClick={() => {
            if (!fields.validate().hasErrors) setTried(fields.getValues())
          }}
        >
          Try on the last {triedTickets} tickets
        </Button>
      </div>
      {tried && (
        <Suspense>
          <TryRules
            rules={ticketRulesToSend(tried)}
            people={stored.people}
            onClose={() => setTried(undefined)}
          />
        </Suspense>
      )}
    </SettingsForm>
  )
}
