import { test } from 'node:test';
import { createCatalogue } from 'hookline/hooks';
import { anEvent, kindContract, marbles } from 'hookline/testing';
import officeHours from './index.js';

const { create } = createCatalogue([officeHours]);
const values = { a: anEvent.preActing('write_file') };

test('keeps the contract of kinds', () => kindContract(officeHours));

// Virtual time begins at 0 h UTC.
test('denies calls before its hours', () =>
  marbles(({ pass, expectEvents }) => {
    const events$ = pass(create('office-hours', { from: 9 }), 'a|', values);
    expectEvents(events$).toShow([
      '0 preActing call_1 write_file {} => deny "calls are allowed from 9 to 17 h UTC" by office-hours',
      '1 |',
    ]);
  }));

test('allows calls in its hours', () =>
  marbles(({ pass, expectEvents }) => {
    const events$ = pass(create('office-hours', { from: 0 }), 'a|', values);
    expectEvents(events$).toShow(['0 preActing call_1 write_file {}', '1 |']);
  }));
