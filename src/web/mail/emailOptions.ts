import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { MailRow } from '#shared/mails.ts'
import type { NewRecordMail, RecordPerson } from '#shared/record-mail.contract.ts'

export type Email = z.input<typeof NewRecordMail>

/** A text to begin an email with, and how the email is then sent. */
export interface EmailTemplate {
  id: string
  label: string
  /** Returns the subject and the HTML for a recipient; their name can be empty. */
  load: (to: Pick<RecordPerson, 'name' | 'address'>) => Promise<{ subject: string; content: string }>
  /** Returns undefined if the request wasn't sent. If absent, the email is sent like any other. */
  send?: (email: Email) => Promise<{ message: string; data: MailRow } | undefined>
}

/** A record page's own parts of the email form. */
export interface EmailOptions {
  templates?: readonly EmailTemplate[]
  /** What happens next with the record: a choice that the draft keeps, and what is done with it once the email is sent. */
  next?: {
    control: (chosen: string, onChange: (chosen: string) => void) => ReactNode
    onSent: (chosen: string) => Promise<unknown>
  }
  /** Returns controls below the text that change it. */
  tools?: (text: { content: string; onChange: (content: string) => void }) => ReactNode
}

/** The values of the form of an email. */
export interface EmailValues {
  to: string[]
  cc: string[]
  subject: string
  content: string
  file_ids: number[]
  /** Local time as entered; empty to send it now. */
  send_at: string
  /** ID of the chosen template. */
  template: string
  /** What happens next with the record, as its page understands it; empty for nothing. */
  next: string
}
