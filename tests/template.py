#!/usr/bin/env python3
"""Expands a template.yaml as CloudFormation will, and checks what no linter looks at: this repository's, or that of a
project that is named. Run it with the Python that has SAM: `cargo xtask test --only lambda,templates` does."""

import json
import os
import sys
from pathlib import Path

from samcli.yamlhelper import yaml_parse
from samtranslator.translator.transform import transform

# The ARNs of a template name a region; which one is the same to it.
os.environ.setdefault("AWS_DEFAULT_REGION", "eu-central-1")

# A call's own time limit, in seconds.
CALL_LIMIT = 25


class NoPolicies:
    """The template names no policy of AWS's by its name, so nobody has to be asked for them."""

    def load(self):
        return {}


def expanded(template: dict) -> dict:
    # What `sam deploy` puts in the place of a folder.
    template["Resources"]["Endpoint"]["Properties"]["CodeUri"] = "s3://bucket/function.zip"
    defaults = {name: given.get("Default", "") for name, given in template["Parameters"].items()}
    return transform(template, defaults, NoPolicies())["Resources"]


# What an ARN is made of where a secret is given by its name.
BY_NAME = "arn:${AWS::Partition}:secretsmanager:${AWS::Region}:${AWS::AccountId}:secret:${KeySecretName}-??????"


def allowed(template: dict, resources: dict) -> list[tuple[list[str], dict]]:
    """What the function may do, and nothing else."""
    by_arn = "KeySecretArn" in template["Parameters"]
    secret = {"Ref": "KeySecretArn"} if by_arn else {"Fn::Sub": BY_NAME}
    may = [(["secretsmanager:GetSecretValue"], {"Fn::Sub": ["${secretArn}", {"secretArn": secret}]})]
    if "Orders" in resources:
        may.append((["dynamodb:GetItem", "dynamodb:UpdateItem"], {"Fn::GetAtt": ["Orders", "Arn"]}))
    return may


def main(path: Path) -> list[str]:
    template = yaml_parse(path.read_text())
    key = "KeySecretArn" if "KeySecretArn" in template["Parameters"] else "KeySecretName"
    resources = expanded(template)
    function = resources["Endpoint"]["Properties"]
    of_type = lambda kind: [r["Properties"] for r in resources.values() if r["Type"] == kind]
    found = []

    def check(is_so: bool, what: str) -> None:
        if not is_so:
            found.append(what)

    url = of_type("AWS::Lambda::Url")
    check([u["AuthType"] for u in url] == ["NONE"], f"there is one URL, without IAM: {url}")
    everyone = [p for p in of_type("AWS::Lambda::Permission") if p["Principal"] == "*"]
    open_to_all = {
        p["Action"]: p.get("FunctionUrlAuthType") or p.get("InvokedViaFunctionUrl")
        for p in everyone
        if p["FunctionName"] in ({"Ref": "Endpoint"}, {"Fn::GetAtt": ["Endpoint", "Arn"]})
    }
    both = {"lambda:InvokeFunctionUrl": "NONE", "lambda:InvokeFunction": True}
    check(open_to_all == both, f"everyone may call the URL, and the function through it, and nothing else: {everyone}")

    variables = function["Environment"]["Variables"]
    check(variables.get("MEDIAN_KEY_SECRET_ARN") == {"Ref": key}, f"the key is named, and not there: {variables}")
    api_url = {"Fn::If": ["HasApiUrl", {"Ref": "ApiUrl"}, {"Ref": "AWS::NoValue"}]}
    check(variables.get("MEDIAN_API_URL") == api_url, f"a blank address of the platform is none: {variables}")
    check(int(variables.get("SECRETS_MANAGER_TTL", "300")) <= 60, f"a changed key is known within a minute: {variables}")
    check("MEDIAN_KEY" not in variables, "the key is not in the function's configuration")
    check("resolve:secretsmanager" not in json.dumps(resources), "the key is not resolved into any configuration")
    statements = [
        statement
        for role in of_type("AWS::IAM::Role")
        for policy in role.get("Policies", [])
        for statement in policy["PolicyDocument"]["Statement"]
    ]
    may = [(s["Action"], s["Resource"]) for s in statements]
    check(may == allowed(template, resources), f"the function may read that secret, and no more than it needs: {may}")

    check(function["Timeout"] > CALL_LIMIT, "the function has longer than a call")
    check(function["Runtime"] == "provided.al2023" and function["Handler"] == "bootstrap", "the runtime is the newest")
    alarms = {alarm["MetricName"] for alarm in of_type("AWS::CloudWatch::Alarm")}
    check({"Errors", "Throttles"} <= alarms, f"there are alarms on errors and throttles: {alarms}")
    logs = [logs for logs in of_type("AWS::Logs::LogGroup") if "RetentionInDays" in logs]
    check(len(logs) == 1 and function["LoggingConfig"]["LogGroup"] == {"Ref": "Logs"}, "logs are kept for a while")
    return found


if __name__ == "__main__":
    named = sys.argv[1:] or [Path(__file__).resolve().parent.parent / "template.yaml"]
    wrong = [(path, what) for path in named for what in main(Path(path))]
    for path, what in wrong:
        print(f"{path}: it should be so that {what}", file=sys.stderr)
    sys.exit(1 if wrong else 0)
