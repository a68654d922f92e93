"""Fits of the released step law runs through the public command line: usage: steplaw_cli_test.py PROGRAM REFERENCE.

The runs have no licence and are not part of the repository: DFSWEEP_STEPLAW_RUNS names the folder of their tables. Every
table of reference/steplaw that comes from them is compared with `dfsweep fit steplaw ... --json`, and the fits of
`--stream`, which keeps sums only, with those of single runs.
"""
import csv
import json
import math
import os
import pathlib
import subprocess
import sys
from collections import Counter

from program import SKIPPED

SCALES = ["214663680,1e11", "1073741824,1e11", "2150612992,2e10,187973632", "7e9,1.4e12", "7e10,1.5e13"]
REFITTED = {"refit_dense_step_near0.25": "dense/step/near0.25", "refit_dense_full_near0.25": "dense/step_full/near0.25",
            "refit_joint_unified_near0.25": "joint/unified/near0.25",
            "refit_joint_unified_quad1H": "joint/unified/quad1_Hweighted",
            "refit_joint_unified_surface1": "joint/unified/joint_surface1",
            "dense_fit_unified_near0.25": "dense/unified/near0.25"}
INFORMATIVE = {"joint_cubic2", "joint_huber2"}  # methods that the reference leaves open
TARGETS = {"ln_lr": "learning_rate", "ln_tokens": "batch_tokens"}


class Comparison:
    def __init__(self):
        self.checked, self.worst, self.failures = Counter(), {}, []

    def check(self, table, what, ours, expected, relative=0.0, absolute=0.0):
        if expected == "" or expected is None:
            return
        expected = float(expected)
        ours = math.nan if ours is None else float(ours)
        difference = abs(ours - expected)
        allowed = absolute + relative * abs(expected)
        self.checked[table] += 1
        share = difference / allowed if allowed else (0.0 if difference == 0 else math.inf)
        self.worst[table] = max(self.worst.get(table, 0.0), share)
        if not difference <= allowed:
            self.failures.append(f"{table}: {what}: {ours!r}, expected {expected!r}")

    def report(self):
        for table, count in self.checked.items():
            print(f"{table}: {count} numbers, at most {self.worst[table]:.2g} of what is allowed")
        print("\n".join(self.failures[:40]))
        print(f"{len(self.failures)} numbers differ")
        return 1 if self.failures else 0


def rows(folder, name):
    with open(folder / name, newline="") as file:
        return list(csv.DictReader(file))


def fit(program, files, *options):
    command = [program, "fit", "steplaw", *map(str, files), "--json", *options]
    done = subprocess.run(command, text=True, capture_output=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def compare_groups(compare, golden, fitted):
    ours = {group["group"]: group for group in fitted["groups"]}
    names = {"N": "parameters", "Na": "activated_parameters", "D": "train_tokens", "flops_per_token": "flops_per_token",
             "second_best_rel": "second_best_rel", "frac_rel_gt_20pct": "diverged_share",
             "geomean_lr_0.0025": "kept_mean_learning_rate", "geomean_tokens_0.0025": "kept_mean_batch_tokens"}
    exact = {"n_rows": "runs", "n_lr": "distinct_learning_rates", "n_bs": "distinct_batches"}
    for row in golden:
        group = ours[row["group"]]
        for theirs, name in names.items():
            compare.check("groups", f"{row['group']} {name}", group[name], row[theirs], relative=1e-10, absolute=1e-13)
        for theirs, name in exact.items():
            compare.check("groups", f"{row['group']} {name}", group[name], row[theirs])
        for bound in ("0.00125", "0.0025", "0.005", "0.01", "0.02"):
            compare.check("groups", f"{row['group']} {bound}", group["runs_within"][bound], row[f"n_rel_lt_{bound}"])


def compare_surfaces(compare, golden, fitted):
    ours = {(surface["group"], surface["window"]): surface for surface in fitted["surfaces"]}
    names = {"x_center": 1e-8, "y_center": 1e-8, "c0": 1e-8, "cx": 1e-8, "cy": 1e-8, "cxx": 1e-8, "cxy": 1e-8,
             "cyy": 1e-8, "rms": 1e-7}
    renamed = {"eig_min": "eigenvalue_low", "eig_max": "eigenvalue_high", "lr_opt": "optimal_learning_rate",
               "tokens_opt": "optimal_batch_tokens", "min_loss_fit": "min_loss", "ridge_dlnB_dlnlr": "ridge_slope"}
    for row in golden:
        surface = ours[row["group"], float(row["window"])]
        what = f"{row['group']} {row['window']}"
        compare.check("quadratic_surfaces", what + " n", surface["n"], row["n"])
        compare.check("quadratic_surfaces", what + " inside", surface["inside_grid"], row["inside_grid"])
        for name, tolerance in names.items():
            compare.check("quadratic_surfaces", f"{what} {name}", surface[name], row[name], tolerance, 1e-12)
        for theirs, name in renamed.items():
            compare.check("quadratic_surfaces", f"{what} {name}", surface[name], row[theirs], 1e-7)
        for plateau in surface["plateaus"]:
            excess = f"{plateau['loss_excess']:g}"
            for theirs, name in (("hw_lnlr", "half_width_ln_learning_rate"), ("hw_lnB", "half_width_ln_batch_tokens"),
                                 ("area", "area")):
                compare.check("quadratic_surfaces", f"{what} {name}", plateau.get(name), row[f"{theirs}_{excess}"], 1e-7)


def compare_fits(compare, golden, fits):
    for row in golden:
        each = fits[row["family"], row["form"], row["method"]][TARGETS[row["target"]]]
        what = f"{row['family']} {row['form']} {row['method']} {row['target']}"
        is_joint = row["method"].startswith("joint")
        compare.check("law_fits", what + " n", each["n"], row["n"])
        compare.check("law_fits", what + " sd", each["residual_sd"], row["resid_sd"], 1e-8)
        compare.check("law_fits", what + " intercept", each["coefficients"]["intercept"], row["intercept"], 0.0,
                      1e-4 if is_joint else 1e-8)
        compare.check("law_fits", what + " se", each["standard_errors"]["intercept"], row["se_intercept"], 1e-8)
        for name in ("lnN", "lnNa", "lnD", "lnC"):
            compare.check("law_fits", f"{what} {name}", each["coefficients"].get(name), row[f"coef_{name}"], 0.0,
                          1e-5 if is_joint else 1e-9)
            compare.check("law_fits", f"{what} se {name}", each["standard_errors"].get(name), row[f"se_{name}"], 1e-8)


def compare_regrets(compare, golden, fitted, sequence_length):
    groups = {name: g for g, name in enumerate(fitted["scores"]["groups"])}
    laws = {law["law"]: law for law in fitted["scores"]["laws"]}
    for row in golden:
        law, g = laws[REFITTED.get(row["law"], row["law"])], groups[row["group"]]
        is_joint = "surface1" in row["law"]
        what = f"{row['group']} {row['law']}"
        prediction, regret = (1e-4, 1e-6) if is_joint else (1e-8, 1e-8)
        compare.check("law_regret", what + " lr", law["learning_rate"][g], row["pred_lr"], prediction)
        compare.check("law_regret", what + " tokens", law["batch_tokens"][g], row["pred_tokens"], prediction)
        compare.check("law_regret", what + " nearest lr", law["nearest_learning_rate"][g], row["nearest_lr"], 1e-12)
        compare.check("law_regret", what + " nearest bs", law["nearest_batch_tokens"][g] / sequence_length,
                      row["nearest_bs"], 1e-12)
        compare.check("law_regret", what + " nearest", law["regret_nearest"][g], row["regret_nearest"], 0.0, 1e-12)
        compare.check("law_regret", what + " bilinear", law["regret_bilinear"][g], row["regret_bilinear"], 0.0, regret)
        compare.check("law_regret", what + " quad1", law["regret_quad1"][g], row["regret_quad1"], 0.0, regret)


def compare_validation(compare, per_group, summary, fitted):
    ours = {(each["family"], each["form"], each["method"]): each for each in fitted["cross_validation"]
            if each["split"] == "leave_one_group_out"}
    for row in per_group:
        key = row["family"], row["form"], row["method"]
        if key not in ours or row["method"] in INFORMATIVE:
            continue
        each = ours[key]
        g = each["groups"].index(row["group"])
        prediction, regret = (1e-4, 1e-6) if row["method"].startswith("joint") else (1e-8, 1e-8)
        what = f"{' '.join(key)} {row['group']}"
        compare.check("cv_logo_per_group", what + " lr", each["learning_rate"][g], row["pred_lr"], prediction)
        compare.check("cv_logo_per_group", what + " tokens", each["batch_tokens"][g], row["pred_tokens"], prediction)
        compare.check("cv_logo_per_group", what + " nearest", each["regret_nearest"][g], row["regret_nearest"], 0.0, 1e-12)
        for name in ("bilinear", "quad1"):
            compare.check("cv_logo_per_group", f"{what} {name}", each[f"regret_{name}"][g], row[f"regret_{name}"], 0.0,
                          regret)
        for theirs, name in (("err_lnlr", "learning_rate"), ("err_lnB", "batch_tokens")):
            compare.check("cv_logo_per_group", f"{what} {theirs}", each[f"error_ln_{name}"][g], row[theirs], 0.0,
                          1e-4 if row["method"].startswith("joint") else 1e-7)
    for row in summary:
        key = row["family"], row["form"], row["method"]
        if key not in ours or row["method"] in INFORMATIVE:
            continue
        for theirs, name in (("near", "nearest"), ("bil", "bilinear"), ("quad1", "quad1")):
            for which in ("mean", "max"):
                compare.check("cv_logo_summary", f"{' '.join(key)} {name} {which}",
                              ours[key]["summary"][f"{name}_{which}"], row[f"{theirs}_{which}"], 0.0,
                              1e-6 if row["method"].startswith("joint") else 1e-8)


def compare_bootstraps(compare, folder, fitted):
    ours = {(each["family"], each["form"], each["unit"]): each for each in fitted["bootstraps"]
            if each["method"] == "near0.25"}
    parameters = {"intercept": "intercept", "lnN": "lnN", "lnNa": "lnNa", "lnD": "lnD"}
    for row in rows(folder, "bootstrap_intervals.csv"):
        each = ours[row["family"], row["form"], row["unit"]]
        name = parameters[row["param"]]
        found = [c for c in each["coefficients"] if (c["target"], c["parameter"]) == (TARGETS[row["target"]], name)]
        what = f"{row['family']} {row['form']} {row['unit']} {row['target']} {name}"
        compare.check("bootstrap_intervals", what, each["solved"], row["n_ok"])
        for quantity in ("mean", "sd", "q2_5", "q16", "median", "q84", "q97_5"):
            compare.check("bootstrap_intervals", f"{what} {quantity}", found[0][quantity], row[quantity], 0.0,
                          1e-7 if name == "intercept" else 1e-8)
    for row in rows(folder, "bootstrap_first_replicates.csv"):
        each = ours[row["family"], row["form"], row["unit"]]
        replicate = each["first_replicates"][int(row["rep"])]
        for value, coefficient in zip(replicate, each["coefficients"]):
            if coefficient["target"] == TARGETS[row["target"]]:
                name = coefficient["parameter"]
                compare.check("bootstrap_first_replicates", f"{row['form']} {row['unit']} {row['rep']} {name}", value,
                              row[f"c_{name}"], 0.0, 1e-7 if name == "intercept" else 1e-8)
    for row in rows(folder, "bootstrap_predictions.csv"):
        each = ours[row["family"], row["form"], row["unit"]]
        scale = float(row["N"]), float(row["Na"]), float(row["D"])
        found = [p for p in each["predictions"]
                 if (p["parameters"], p["activated_parameters"], p["train_tokens"]) == scale]
        for theirs, name in (("lr", "learning_rate"), ("tokens", "batch_tokens")):
            what = f"{row['family']} {row['form']} {row['unit']} {scale} {name}"
            compare.check("bootstrap_predictions", what, found[0][name], row[f"{theirs}_mean_params"], 1e-8)
            for quantity in ("q2_5", "median", "q97_5"):
                compare.check("bootstrap_predictions", f"{what} {quantity}", found[0][f"{name}_interval"][quantity],
                              row[f"{theirs}_{quantity}"], 1e-8)


def compare_loss_laws(compare, golden, fitted):
    ours = {(each["target"], each["subset"]): each for each in fitted["loss_laws"]}
    targets = {"min_smooth_loss": "min_loss", "quad1_min": "quad1_min"}
    subsets = {"dense17": "dense", "dense_excl_1.07e9": "dense_without_largest_N"}
    for row in golden:
        each = ours[targets[row["target"]], subsets[row["subset"]]]
        what = f"{row['target']} {row['subset']}"
        better = min(each["objective"], float(row["huber_sum"]))  # a lower objective is no fault
        compare.check("chinchilla_fit", what + " objective", each["objective"], better, 1e-4)
        for one, expected in zip(each["held_out"], row["heldout_rel_err"].split(";")):
            compare.check("chinchilla_fit", what + " held out", one["relative_error"], expected, 0.0, 2e-4)


def compare_streamed(compare, fits, streamed):
    for key, each in by_name(streamed).items():
        for target in TARGETS.values():
            for name, value in fits[key][target]["coefficients"].items():
                compare.check("streamed", f"{' '.join(key)} {target} {name}", each[target]["coefficients"][name], value,
                              1e-9, 1e-9)


def compare_parameter_sets(compare, folder, data, program):
    predictions = rows(folder, "published_predictions.csv")
    scales = [option for row in predictions for option in ("--predict", f"{row['N']},{row['D']}")]
    fitted = fit(program, [data / "dense_lr_bs_loss.csv"], "--replicates", "0", "--parameter-sets",
                 str(data / "1004_fitted_lr_bs_scaling_model_parameters.csv"), *scales)["parameter_sets"]
    names = {"lr_intercept": ("learning_rate", "intercept"), "lr_coefN": ("learning_rate", "lnN"),
             "lr_coefD": ("learning_rate", "lnD"), "bs_intercept": ("batch_tokens", "intercept"),
             "bs_coefD": ("batch_tokens", "lnD")}
    ours = {(each["target"], each["parameter"]): each for each in fitted["coefficients"]}
    for row in rows(folder, "published_parameters_summary.csv"):
        each = ours[names[row["param"]]]
        for quantity in ("mean", "sd", "median", "q2_5", "q97_5"):
            compare.check("published_parameters", f"{row['param']} {quantity}", each[quantity], row[quantity], 1e-10)
        compare.check("published_parameters", f"{row['param']} mode", each["mode"], row["kde_mode"], 1e-6)
    for row, each in zip(predictions, fitted["predictions"]):
        for theirs, name in (("lr", "learning_rate"), ("tokens", "batch_tokens")):
            compare.check("published_predictions", f"{row['N']} {name}", each[name], row[f"{theirs}_mean_params"], 1e-10)
            for quantity in ("q2_5", "median", "q97_5"):
                compare.check("published_predictions", f"{row['N']} {name} {quantity}",
                              each[f"{name}_interval"][quantity], row[f"{theirs}_{quantity}"], 1e-10)
        compare.check("published_predictions", f"{row['N']} correlation", each["correlation"], row["corr_lnlr_lnB"], 1e-9)


def by_name(fitted):
    return {(each["family"], each["form"], each["method"]): each for each in fitted["fits"]}


def main(program, reference):
    if not os.environ.get("DFSWEEP_STEPLAW_RUNS"):
        print("skipped: DFSWEEP_STEPLAW_RUNS names no folder with the released step law runs")
        return SKIPPED
    folder, data = pathlib.Path(reference) / "reference" / "steplaw", pathlib.Path(os.environ["DFSWEEP_STEPLAW_RUNS"])
    files = [data / "dense_lr_bs_loss.csv", data / "moe_lr_bs_loss.csv"]
    fitted = fit(program, files, *(option for scale in SCALES for option in ("--predict", scale)))
    fits = by_name(fitted)
    compare = Comparison()
    compare_groups(compare, rows(folder, "groups.csv"), fitted)
    compare_surfaces(compare, rows(folder, "quadratic_surfaces.csv"), fitted)
    compare_fits(compare, rows(folder, "law_fits.csv"), fits)
    compare_regrets(compare, rows(folder, "law_regret.csv"), fitted, fitted["settings"]["sequence_length"])
    compare_validation(compare, rows(folder, "cv_logo_per_group.csv"), rows(folder, "cv_logo_summary.csv"), fitted)
    compare_bootstraps(compare, folder, fitted)
    compare_loss_laws(compare, rows(folder, "chinchilla_fit.csv"), fitted)
    compare_parameter_sets(compare, folder, data, program)
    compare_streamed(compare, fits, fit(program, files, "--stream", "--replicates", "0"))
    return compare.report()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
