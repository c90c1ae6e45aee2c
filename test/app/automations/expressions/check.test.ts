import { describe, expect, it } from 'vitest';
import { isVariableName } from '../../../../src/app/automations/expressions/expressions.ts';
import { FUNCTIONS } from '../../../../src/app/automations/expressions/functions/index.ts';
import { HearthError } from '../../../../src/kernel/errors.ts';
import { createExpressionHome } from './expression-home.ts';

const { expressions, evaluate } = createExpressionHome();

function faultOf(act: () => unknown): HearthError {
  try {
    act();
  } catch (error) {
    if (error instanceof HearthError) return error;
    throw error;
  }
  throw new Error('It was taken');
}

describe('check finds before anything runs', () => {
  it.each([
    ['1 +', /unexpected token: the end .*line 1, column 4/],
    ['(1 + 2', /expected \), got the end/],
    ['states("Lamp"', /expected \)/],
    ['"open', /unterminated string/],
    ['a $ b', /unexpected character: \$ .*column 3/],
    ['', /there is no expression/],
    ['   ', /there is no expression/],
    ['1 = 2', /unexpected character/],
    ['a not in b', /write 'not x in list' .*column 7/],
    ['foo(1)', /there is no function 'foo'/],
    ['"a".matches("(a+)+b")', /there is no function 'matches'/],
    ['states()', /states\(accessory, characteristic\?\) does not take 0 arguments/],
    ['now(1)', /now\(\) does not take 1 argument /],
    ['replace("a", "b")', /does not take 2 arguments/],
    ['"a".upper(1)', /does not take 2 arguments/],
    ['has(x)', /has\(\) takes one field/],
    ['loop', /reserved identifier/],
    ['__proto__', /reserved identifier/],
    ['['.repeat(101) + ']'.repeat(101), /it is nested more than 100 deep \(line 1, column 101/],
    [`min(${'1, '.repeat(40)}1)`, /a function is given more than 32 arguments/],
    ['{{ 1 }} {{ 2 }}', /one expression is expected/],
    ['{{ 1 }} and more', /one expression is expected/],
    ['{{ 1 ', /is not closed by }}/],
    ['x.?y', /expected a name, got \?/],
  ])('%s', (expression, message) => {
    const fault = faultOf(() => expressions.check(expression, 'conditions[0].expression'));
    expect(fault.code).toBe('invalid_value');
    expect(fault.message).toMatch(message);
    expect(fault.message).toMatch(/^conditions\[0\]\.expression: /);
    expect(fault.details.field).toBe('conditions[0].expression');
  });

  it('variables that there will not be, where it is known which there will be', () => {
    const options = { variables: new Set(['x']) };
    expect(() => expressions.check('x + trigger.to_value + [1].map(i, i)[0]', 'at', options)).not.toThrow();
    expect(faultOf(() => expressions.check('x + [1].map(i, i)[0] + y', 'at', options)).message).toMatch(
      /no variable 'y'.*column 24/,
    );
    expect(() => expressions.check('x + y', 'at')).not.toThrow();
  });

  it('faults in any template of a value, with the path to it', () => {
    const value = { items: ['plain', { text: 'a {{ 1 }} b {{ foo() }}' }] };
    const fault = faultOf(() => expressions.checkTemplates(value, 'data'));
    expect(fault.details.field).toBe('data.items[1].text');
    expect(fault.message).toMatch(/no function 'foo' \(line 1, column 16/);
    expect(() => expressions.checkTemplates({ a: 'no template } here {', b: 1 }, 'data')).not.toThrow();
    expect(faultOf(() => expressions.checkTemplates('{{ 1', 'message')).message).toMatch(
      /not closed.*line 1, column 1 /,
    );
  });
});

describe('places', () => {
  it('are lines and columns of the whole text, from 1, wherever the template is', () => {
    const text = 'Good morning\n  it is {{ 1 +\n    nothing_there }}';
    expect(faultOf(() => expressions.render(text, SCOPE, '')).message).toMatch(/line 3, column 5/);
  });

  it('come with the path in the value that is rendered', () => {
    const fault = faultOf(() => expressions.render({ body: ['x', { a: '{{ gone }}' }] }, SCOPE, ''));
    expect(fault.message).toMatch(/^body\[1\]\.a: there is no variable 'gone'/);
    expect(fault.details.field).toBe('body[1].a');
    expect(faultOf(() => expressions.render('{{ gone }}', SCOPE, '')).details).toEqual({ reason: 'expression' });
  });

  it('stay right behind and, or and not', () => {
    expect(faultOf(() => evaluate('true and not (false or not gone)')).message).toMatch(/column 28 /);
  });

  it('are those of the call or operator that failed, in the quoted expression', () => {
    const fault = faultOf(() => evaluate('[1, 2].map(i, upper(i))'));
    expect(fault.message).toBe(
      'what upper() takes must be text, not a number (line 1, column 15 of the expression "[1, 2].map(i, upper(i))")',
    );
  });

  it('come with an expression that is shortened', () => {
    const fault = faultOf(() => evaluate(`nothing_there + "${'a'.repeat(500)}"`));
    expect(fault.message.length).toBeLessThan(300);
  });
});

describe('the table of functions', () => {
  it('has every function that the API names', () => {
    const names =
      'states is_state state_attr last_changed count_changed_within manual_override virtual now today_at min max abs round floor ' +
      'ceil sqrt log int float str bool is_number len upper lower trim contains replace join iif range';
    expect(names.split(' ').filter((name) => !FUNCTIONS.has(name))).toEqual([]);
  });

  it('describes each in one line', () => {
    for (const { signature, summary } of FUNCTIONS.values()) {
      expect(signature).toMatch(/^\w+\(.*\)$/);
      expect(summary).toMatch(/\.$/);
    }
  });
});

describe('names of variables', () => {
  it.each(['x', '_a', 'lightLevel2'])('%s can be expressed', (name) => {
    expect(isVariableName(name)).toBe(true);
    expect(evaluate(name, { variables: { [name]: 1 } })).toBe(1);
  });

  it.each(['', '2x', 'a-b', 'a b', 'ä', 'and', 'not', 'in', 'true', 'loop', 'trigger', 'nodes', '__proto__'])(
    '"%s" can not',
    (name) => {
      expect(isVariableName(name)).toBe(false);
    },
  );
});

const SCOPE = { trigger: null, variables: {}, nodes: {}, repeat: null, wait: null };
